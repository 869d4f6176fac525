loop
