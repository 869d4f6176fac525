modes
