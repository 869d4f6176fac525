"""Ranks the rigs that search.toml found by what it did not use.

    python3 candidates.py search/identification_starts.csv [program]

Each row of the table is a rig. It is computed by beam.toml (6 harmonics, here with 11 points, which moves frequencies by at
most 0.015 Hz) through all nine load cases; `program` is the masing to run, the one on the PATH unless told. Rigs that miss load cases 1 or 6 by more than
0.05 Hz are left out. The others are ranked by the separation and the sixth harmonic alone, not by the seven frequencies:

  pattern   places of four along the contact, A to D, that behave as published: in load case 2 C and D separate, in
            load case 6 all four do (at most eight). Separated: largest motion away from the support over static penetration is 1
            and more.
  onset     sixth harmonic over the first: the least of load cases 6 to 9 over the largest of load cases 1 to 5.
"""

import csv
import math
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
ELASTIC_MODULUS, WIDTH = 70e9, 0.030
PLACES = {"a": 4 / 38, "b": 14 / 38, "c": 24 / 38, "d": 34 / 38}
MET = 0.05  # Hz


def load_cases():
    lines = [line for line in (FOLDER / "load_cases.csv").read_text().splitlines() if not line.startswith("#")]
    return [(float(row["force"]) / 1e3, float(row["frequency"])) for row in csv.DictReader(lines)]


def normal_coefficient(rig):
    radius = rig["thickness"] / math.sqrt(12)
    return 27.6e-4 * ELASTIC_MODULUS * WIDTH * rig["thickness"] * radius ** -2.01


def overrides(rig):
    radius = rig["thickness"] / math.sqrt(12)
    length = rig["slenderness"] * math.sqrt(rig["thickness"])
    values = {
        "structure.thickness": rig["thickness"], "structure.length": length, "structure.points.tip": length,
        "structure.points.drive": rig["shaker"], "structure.masses.0.at": rig["shaker"], "structure.masses.0.m": rig["mass"],
        "joint.support.over.to": rig["contact"], "joint.support.over.preload.total": rig["preload"],
        "joint.support.normal_coefficient": normal_coefficient(rig),
        "joint.support.unloading_rate": 54.5 / radius, "joint.support.directions.0.phi": rig["thickness"] / 2,
        "joint.support.over.points": 11, "continuation.max_iterations": 3000,
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
    """Linear between the points of the branch; NaN where it has ended."""
    for before, after in zip(rows, rows[1:]):
        low, high = before["level_N"], after["level_N"]
        if (low - level) * (high - level) <= 0 and low != high:
            share = (level - low) / (high - low)
            return before[column] + share * (after[column] - before[column])
    return math.nan


def lift(rows, name, level):
    """Largest motion away from the support in a period at that level, from the harmonics; between points linear."""
    def highest(row):
        harmonics = range(sum(key.startswith(f"{name}_amplitude") for key in row))
        return max(sum(row[f"{name}_amplitude{k}_m"] * math.cos(k * tau + row[f"{name}_phase{k}_rad"]) for k in harmonics)
                   for tau in (2 * math.pi * i / 256 for i in range(256)))
    return at([{"level_N": row["level_N"], "lift": highest(row)} for row in rows], "lift", level)


def judged(program, rig):
    rows, cases = computed(program, rig), load_cases()
    static = (rig["preload"] / rig["contact"] / normal_coefficient(rig)) ** (1 / 1.01)
    result = {"rig": rig, "differences": [at(rows, "frequency_Hz", force) - frequency for force, frequency in cases]}
    for number in (2, 6):
        force = cases[number - 1][0]
        result[f"motion {number}"] = [lift(rows, name, force) / static for name in PLACES]
    result["sixth"] = [at(rows, "tip_amplitude6_m", force) / at(rows, "tip_amplitude1_m", force) for force, _ in cases]
    result["pattern"] = (sum(motion >= 1 if name in "cd" else motion < 1 for name, motion in zip(PLACES, result["motion 2"]))
                         + sum(motion >= 1 for motion in result["motion 6"]))
    later = [share for share in result["sixth"][5:] if not math.isnan(share)]
    result["onset"] = min(later) / max(result["sixth"][:5]) if later else math.nan
    return result


def numbers(values, form):
    return " ".join(format(value, form) for value in values)


def show(result):
    print(f"start {result['start']}: " + ", ".join(f"{key} {value:.5g}" for key, value in result["rig"].items()))
    print(f"    differences [Hz]     {numbers(result['differences'], '+.3f')}")
    print(f"    lift over penetration, left to right: case 2 {numbers(result['motion 2'], '.2f')}, "
          f"case 6 {numbers(result['motion 6'], '.2f')}; pattern {result['pattern']} of 8")
    print(f"    sixth harmonic [%]   {numbers([100 * share for share in result['sixth']], '.3f')}; "
          f"onset {result['onset']:.2f}", flush=True)


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else "masing"
    kept = []
    with open(sys.argv[1], encoding="utf-8") as table:
        for row in csv.DictReader(table):
            rig = {key[4:]: float(value) for key, value in row.items() if key.startswith("end_")}
            if not math.isfinite(float(row["cost"])) or float(row["cost"]) > 50.0:
                print(f"start {row['start']}: ended far from load cases 1 and 6, or could not be computed")
                continue
            result = {"start": row["start"]} | judged(program, rig)
            show(result)
            if max(abs(result["differences"][case]) for case in (0, 5)) <= MET:
                kept.append(result)
    print("\nranked, the best first: start (pattern, onset, largest of the seven differences)")
    for result in sorted(kept, key=lambda one: (-one["pattern"], -one["onset"])):
        largest = max((abs(d) for i, d in enumerate(result["differences"]) if i not in (0, 5)), key=lambda d: (math.isnan(d), d))
        print(f"    {result['start']} ({result['pattern']}, {result['onset']:.2f}, {largest:.3f} Hz)")


if __name__ == "__main__":
    main()
