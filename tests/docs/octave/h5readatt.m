function value = h5readatt(file, path, name)
  % Stand-in for MATLAB's h5readatt.
  value = h5_value(file, path, name);
end
