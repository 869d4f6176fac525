function value = h5_value(varargin)
  % Asks Python for a dataset or attribute: see h5_value.py.
  command = sprintf(' "%s"', getenv('MASING_PYTHON'), getenv('MASING_H5_VALUE'), varargin{:});
  [status, output] = system(command);
  if status ~= 0
    error('cannot read %s', strjoin(varargin, ' '));
  end
  [head, rest] = strtok(output, "\n");
  if strncmp(head, 'text', 4)
    value = strtrim(rest);
    return
  end
  extent = sscanf(head(numel('numbers') + 1:end), '%d')';
  if isscalar(extent)
    extent = [1, extent];
  end
  value = reshape(sscanf(rest, '%f'), fliplr(extent));
end
