function value = h5read(file, path)
  % Stand-in for MATLAB's h5read: dimensions arrive in the reverse order of the file, as MATLAB gives them.
  value = h5_value(file, path);
end
