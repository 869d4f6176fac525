"""Judges the rigs that search.toml found by what it did not use.

    python3 candidates.py search/identification_starts.csv [program]

Each row of the table is a rig that meets load cases 1 and 6. It is computed with the discretisation of beam.toml (6 harmonics,
19 points) through all nine load cases; `program` is the masing to run, the one on the PATH unless told. Printed are the largest
difference from the seven frequencies that were not used; the largest normal motion over the static penetration at four
places along the contact in load cases 2 and 6 (1 and more: separates there); and the sixth harmonic of the tip as a share of
the first in load cases 1, 6 and 9.
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ELASTIC_MODULUS = 70e9
PLACES = {"a": 4 / 38, "b": 14 / 38, "c": 24 / 38, "d": 34 / 38}


def load_cases():
    lines = [line for line in (FOLDER / "load_cases.csv").read_text().splitlines() if not line.startswith("#")]
    return [(float(row["force"]) / 1e3, float(row["frequency"])) for row in csv.DictReader(lines)]


def normal_coefficient(rig):
    radius = rig["thickness"] / math.sqrt(12)
    return 27.6e-4 * ELASTIC_MODULUS * rig["width"] * rig["thickness"] * radius ** -2.01


def overrides(rig):
    radius = rig["thickness"] / math.sqrt(12)
    length = rig["slenderness"] * math.sqrt(rig["thickness"])
    values = {
        "structure.thickness": rig["thickness"], "structure.width": rig["width"], "structure.length": length,
        "structure.points.tip": length, "structure.points.drive": rig["shaker"], "structure.masses.0.at": rig["shaker"],
        "structure.masses.0.m": rig["mass"], "structure.loss_factor": rig["loss_factor"],
        "joint.support.over.to": rig["contact"], "joint.support.over.preload.total": rig["preload"],
        "joint.support.normal_coefficient": normal_coefficient(rig),
        "joint.support.friction_coefficient":
            0.14 * (ELASTIC_MODULUS * rig["width"] * rig["thickness"] / radius) ** -0.16,
        "joint.support.unloading_rate": 54.5 / radius,
        "joint.support.directions.0.phi": rig["thickness"] / 2,
    }
    for name, share in PLACES.items():
        values[f"structure.points.{name}"] = share * rig["contact"]
    return [word for key, value in values.items() for word in ("--set", f"{key}={value!r}")]


def computed(program, rig):
    """Rows of the branch as {column: number}; fewer load cases when it stopped early."""
    with tempfile.TemporaryDirectory() as scratch:
        results = f"{scratch}/rig.h5"
        subprocess.run([program, "run", str(FOLDER / "beam.toml"), "-o", results, "-q", "--no-report", *overrides(rig)],
                       check=False, stderr=subprocess.DEVNULL)
        subprocess.run([program, "export", results, "--csv", scratch], check=True, stdout=subprocess.DEVNULL)
        with open(f"{scratch}/resonances_branch0.csv", encoding="utf-8") as table:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(table)]


def at(rows, column, level):
    """Linear between the points of the branch."""
    for before, after in zip(rows, rows[1:]):
        low, high = before["level_N"], after["level_N"]
        if (low - level) * (high - level) <= 0 and low != high:
            share = (level - low) / (high - low)
            return before[column] + share * (after[column] - before[column])
    return math.nan


def judgement(program, rig):
    rows = computed(program, rig)
    cases = load_cases()
    differences = [at(rows, "frequency_Hz", force) - frequency for force, frequency in cases]
    predicted = [difference for i, difference in enumerate(differences) if i not in (0, 5)]
    static = (rig["preload"] / rig["contact"] / normal_coefficient(rig)) ** (1 / 1.01)
    words = [f"{max(abs(difference) for difference in predicted):7.3f}"]
    for case in (1, 5):
        words.append(" ".join(f"{at(rows, name + '_peak_m', cases[case][0]) / static:5.2f}" for name in PLACES))
    for case in (0, 5, 8):
        force = cases[case][0]
        words.append(f"{100 * at(rows, 'tip_amplitude6_m', force) / at(rows, 'tip_amplitude1_m', force):6.3f}")
    return words, differences


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else "masing"
    print("largest of seven [Hz] | separation in case 2: left to right | case 6 | sixth harmonic in cases 1, 6, 9 [%]")
    with open(sys.argv[1], encoding="utf-8") as table:
        for row in csv.DictReader(table):
            rig = {key[4:]: float(value) for key, value in row.items() if key.startswith("end_")}
            if float(row["cost"]) > 4.0:
                print(f"start {row['start']}: does not meet load cases 1 and 6")
                continue
            words, differences = judgement(program, rig)
            print(f"start {row['start']}: " + ", ".join(f"{key} {value:.4g}" for key, value in rig.items()))
            print("   " + " | ".join(words) + "   differences " + " ".join(f"{d:+.3f}" for d in differences), flush=True)


if __name__ == "__main__":
    main()
