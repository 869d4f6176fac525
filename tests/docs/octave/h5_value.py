"""Prints one HDF5 dataset or attribute for the stand-ins h5read.m and h5readatt.m: its kind and size, then its values in
the order of the file, one a line.

    h5_value.py FILE PATH [ATTRIBUTE]
"""
import sys

import h5py
import numpy as np

with h5py.File(sys.argv[1], "r") as file:
    node = file[sys.argv[2]]
    value = node.attrs[sys.argv[3]] if len(sys.argv) > 3 else node[()]

if isinstance(value, (str, bytes)):
    print("text 1")
    print(value if isinstance(value, str) else value.decode())
else:
    value = np.asarray(value, dtype=float)
    print("numbers", *(value.shape or (1,)))
    for number in value.ravel():
        print(repr(float(number)))
