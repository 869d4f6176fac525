#!/usr/bin/env python3
"""Writes a solid of 8-node bricks with a consistent mass matrix, and a study that reduces it.

    solid_model.py FOLDER [--nodes 22 22 69] [--kept 300]

FOLDER/solid.h5 holds mass and stiffness (compressed sparse rows), FOLDER/solid.toml a frequency response of the solid on
three friction joints, with a Craig-Bampton reduction to `kept` coordinates and as many modes as the error indicator asks
for. Coordinate 3 n + d + 1 is motion d of node n, nodes counted along x first, then y, then z. The first layer (z = 0) is
held by soft springs, so that the solid does not float. Then

    masing check FOLDER/solid.toml
    masing modes FOLDER/solid.toml
    masing run FOLDER/solid.toml
"""
import argparse
import pathlib

import h5py
import numpy

YOUNG, POISSON, DENSITY, EDGE = 210e9, 0.3, 7850.0, 0.005  # steel, cubes of 5 mm
GROUND = 1e5  # N/m at every coordinate of the first layer


def brick():
    """Stiffness and consistent mass of a cube, 2 x 2 x 2 Gauss points; motions by node, then x, y, z."""
    corners = numpy.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=float)
    shear = YOUNG / (2 * (1 + POISSON))
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    elastic = numpy.diag([2 * shear] * 3 + [shear] * 3)
    elastic[:3, :3] += lame
    stiffness, mass = numpy.zeros((24, 24)), numpy.zeros((24, 24))
    volume = (EDGE / 2) ** 3
    gauss = corners / numpy.sqrt(3.0)
    for point in gauss:
        factors = 1 + corners * point
        values = factors.prod(axis=1) / 8
        slopes = numpy.empty((8, 3))
        for d in range(3):
            slopes[:, d] = corners[:, d] * factors[:, (d + 1) % 3] * factors[:, (d + 2) % 3] / 8 * 2 / EDGE
        strain = numpy.zeros((6, 24))
        for d in range(3):
            strain[d, d::3] = slopes[:, d]
            first, second = (d + 1) % 3, (d + 2) % 3
            strain[3 + d, first::3] = slopes[:, second]
            strain[3 + d, second::3] = slopes[:, first]
        stiffness += volume * strain.T @ elastic @ strain
        shape = numpy.kron(values, numpy.eye(3))
        mass += volume * DENSITY * shape.T @ shape
    return stiffness, mass


def assemble(nodes):
    """Rows, columns and the values of both matrices, rows first."""
    nx, ny, nz = nodes
    number = numpy.arange(nx * ny * nz).reshape(nz, ny, nx)
    corners = [number[z:nz - 1 + z, y:ny - 1 + y, x:nx - 1 + x].ravel() for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    motions = (3 * numpy.stack(corners, axis=1)[:, :, None] + numpy.arange(3)).reshape(-1, 24)
    size = 3 * number.size
    keys = (motions[:, :, None] * size + motions[:, None, :]).ravel()
    order = numpy.argsort(keys, kind="stable")
    keys = keys[order]
    first = numpy.flatnonzero(numpy.concatenate(([True], keys[1:] != keys[:-1])))
    sums = [numpy.add.reduceat(numpy.tile(part.ravel(), len(motions))[order], first) for part in brick()]
    rows, columns = numpy.divmod(keys[first], size)
    layer = (rows == columns) & (rows < 3 * nx * ny)
    sums[0][layer] += GROUND
    return size, rows, columns, sums


def symmetric(rows, columns, size, values):
    """Entries (i, j) and (j, i) were added in different orders: give both the value of the upper triangle."""
    keys = rows * size + columns
    mirrored = numpy.searchsorted(keys, columns * size + rows)
    return numpy.where(rows <= columns, values, values[mirrored])


STUDY = """title = "A solid of bricks on three friction joints, reduced"

[structure]
kind = "matrices"
mass = "solid.h5:/mass"
stiffness = "solid.h5:/stiffness"
modal_damping = 0.005
reduction = {{ kind = "craig-bampton", keep = [{keep}], error = 1e-4 }}

{joints}
[excitation]
at = "{drive}"
force = 10.0

[harmonic_balance]
harmonics = [1, 3]

[[sensor]]
at = "{drive}"

[[analysis]]
kind = "frequency-response"
from = {low}
to = {high}
forces = [1.0, 10.0]
"""

JOINT = """[[joint]]
law = "jenkins"
stiffness = 1e7
slip_force = 5.0
direction = {{ q{at} = 1.0 }}

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nodes", type=int, nargs=3, default=(22, 22, 69))
    parser.add_argument("--kept", type=int, default=300)
    parser.add_argument("--range", type=float, nargs=2, default=(200.0, 1000.0), help="Hz")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    size, rows, columns, (stiffness, mass) = assemble(given.nodes)
    pointers = numpy.concatenate(([0], numpy.cumsum(numpy.bincount(rows, minlength=size))))
    with h5py.File(given.folder / "solid.h5", "w") as file:
        for name, values in (("stiffness", stiffness), ("mass", mass)):
            group = file.create_group(name)
            group["data"] = symmetric(rows, columns, size, values)
            group["indices"], group["indptr"] = columns, pointers
    last = size - 3 * given.nodes[0] * given.nodes[1]  # the drive is in the last layer, the kept ones begin in the first
    kept = [f"q{i + 1}" for i in range(given.kept - 1)] + [f"q{last + 1}"]
    joints = "".join(JOINT.format(at=at) for at in (1, 3 * given.nodes[0] - 2, 3 * given.nodes[0] + 1))
    (given.folder / "solid.toml").write_text(STUDY.format(
        keep=", ".join(f'"{name}"' for name in kept), joints=joints, drive=f"q{last + 1}",
        low=given.range[0], high=given.range[1]))
    print(f"{size} coordinates, {len(rows)} entries, {given.kept} kept")


if __name__ == "__main__":
    main()
