#!/usr/bin/env python3
"""Writes the mass and stiffness matrices of a clamped steel beam in Matrix Market format.

Euler-Bernoulli finite elements with cubic Hermite shape functions and consistent mass; two unknowns a node, the
deflection w [m] and the slope phi = dw/dx [rad]; the clamped node is left out. Element matrices: M. Geradin,
D. J. Rixen, Mechanical Vibrations, 3rd ed., 2015, section 5.2.

    python3 scripts/make_cantilever_matrices.py models/data

makes models/data/cantilever_mass.mtx and models/data/cantilever_stiffness.mtx. No packages needed.
"""

import pathlib
import sys

LENGTH, WIDTH, THICKNESS = 0.6, 0.040, 0.005  # [m]; it deflects along its thickness
YOUNG, DENSITY = 210e9, 7850.0  # [Pa], [kg/m^3]
ELEMENTS = 20


def element_matrices(h):
    """Mass and stiffness of one element of length h; unknowns w1, phi1, w2, phi2."""
    mass = DENSITY * WIDTH * THICKNESS * h / 420.0
    bending = YOUNG * WIDTH * THICKNESS**3 / 12.0 / h**3
    m = [
        [156, 22 * h, 54, -13 * h],
        [22 * h, 4 * h * h, 13 * h, -3 * h * h],
        [54, 13 * h, 156, -22 * h],
        [-13 * h, -3 * h * h, -22 * h, 4 * h * h],
    ]
    k = [
        [12, 6 * h, -12, 6 * h],
        [6 * h, 4 * h * h, -6 * h, 2 * h * h],
        [-12, -6 * h, 12, -6 * h],
        [6 * h, 2 * h * h, -6 * h, 4 * h * h],
    ]
    return [[mass * x for x in row] for row in m], [[bending * x for x in row] for row in k]


def assemble(element):
    """Lower triangle as {(row, column): value}, counted from 1, node 0 clamped."""
    entries = {}
    for e in range(ELEMENTS):
        unknowns = [2 * e - 1, 2 * e, 2 * e + 1, 2 * e + 2]
        for a, row in enumerate(unknowns):
            for b, column in enumerate(unknowns):
                if row >= column >= 1:
                    entries[row, column] = entries.get((row, column), 0.0) + element[a][b]
    return entries


def write(path, what, unit, entries):
    size = 2 * ELEMENTS
    lines = [
        "%%MatrixMarket matrix coordinate real symmetric",
        f"% {what} matrix of a steel cantilever, clamped at x = 0, free at x = {LENGTH} m.",
        f"% Euler-Bernoulli finite elements, {ELEMENTS} of equal length, cubic shape functions, consistent mass.",
        f"% Cross-section {WIDTH * 1e3:g} mm x {THICKNESS * 1e3:g} mm, "
        f"deflection along the {THICKNESS * 1e3:g} mm side, "
        f"E = {YOUNG:g} Pa, density {DENSITY:g} kg/m^3.",
        f"% Unknowns: w1, phi1, ..., w{ELEMENTS}, phi{ELEMENTS}: deflection [m] and slope [rad] of node i at "
        f"x = i {LENGTH / ELEMENTS:g} m. Entries in {unit}.",
        "% Made by scripts/make_cantilever_matrices.py.",
        f"{size} {size} {len(entries)}",
    ]
    for (row, column), value in sorted(entries.items(), key=lambda item: (item[0][1], item[0][0])):
        lines.append(f"{row} {column} {value!r}")
    path.write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    mass, stiffness = element_matrices(LENGTH / ELEMENTS)
    write(folder / "cantilever_mass.mtx", "Mass", "kg, kg m, kg m^2", assemble(mass))
    write(folder / "cantilever_stiffness.mtx", "Stiffness", "N/m, N, N m", assemble(stiffness))


if __name__ == "__main__":
    main()
