"""The published values that are evaluated from printed equations are those of the scripts that evaluate them.

    python3 evaluated.py VALIDATION

For each case of the folder: the rows of origin "evaluated" in published.csv and the lines of evaluate.py are the same, name by
name, to the digits written. And the load cases that slip-slap identifies from are those of its published values, and the
energies that ripp estimates from those of its script. The studies of slip-slap have the law's parameters of its Table 3, with dimensions. Every published value is of a quantity or a cost in case.toml, or its note says
"not compared" and why.
"""

import csv
import math
import pathlib
import re
import subprocess
import sys
import tomllib

TOLERANCE = 1e-7  # relative: the tables have eight digits and more


def evaluated_rows(table):
    with open(table, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {row["id"]: float(row["value"]) for row in rows if row["origin"] == "evaluated"}


def script_values(script):
    text = subprocess.run([sys.executable, "-B", script], check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in (line.split() for line in text.splitlines())}


def faults(folder):
    rows, values = evaluated_rows(folder / "published.csv"), script_values(folder / "evaluate.py")
    for name in sorted(rows.keys() | values.keys()):
        if name not in rows or name not in values:
            yield f"{folder.name}: '{name}' is in {'the script' if name in values else 'the table'} only"
        elif abs(rows[name] - values[name]) > TOLERANCE * max(abs(values[name]), 1e-12):
            yield f"{folder.name}: '{name}' is {rows[name]} in the table, {values[name]} by the script"


def load_case_faults(folder):
    def rows(name):
        with open(folder / name, encoding="utf-8", newline="") as file:
            yield from csv.DictReader([line for line in file if not line.startswith("#")])

    published = {row["id"]: row for row in rows("published.csv")}
    for row in rows("load_cases.csv"):
        other = published[f"f_{row['case']}"]
        if float(other["value"]) != float(row["frequency"]) or f"{row['force']} mN" not in other["note"]:
            yield f"{folder.name}: load case {row['case']} differs between load_cases.csv and published.csv"


def parameter_faults(folder):
    """Unit of length is the radius of gyration r, of force EA: C_p EA/r^(1+n), C_Q (EA/r)^(1−m), k_N/r."""
    with open(folder / "published.csv", encoding="utf-8", newline="") as file:
        known = {row["id"]: float(row["value"]) for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    for name in ("beam.toml", "search.toml"):
        study = tomllib.loads((folder / name).read_text(encoding="utf-8"))
        beam, joint = study["structure"], study["joint"][0]
        radius = beam["thickness"] / math.sqrt(12)
        force = beam["material"]["E"] * beam["width"] * beam["thickness"]
        expected = {
            "normal_exponent": known["n"],
            "friction_exponent": known["m"],
            "normal_coefficient": known["C_p"] * force / radius ** (1 + known["n"]),
            "friction_coefficient": known["C_Q"] * (force / radius) ** (1 - known["m"]),
            "unloading_rate": known["k_N"] / radius,
            "stiffness_ratio": known["C_k"],
        }
        for key, value in expected.items():
            if abs(joint[key] - value) > 1e-6 * value:
                yield f"{folder.name}: {key} of {name} is {joint[key]}, Table 3 makes {value:.7g}"
        shear = beam["shear_factor"] / (2 * (1 + beam["material"]["nu"]))
        if abs(shear - known["kappa"]) > 1e-5:
            yield f"{folder.name}: shear_factor of {name} makes {shear:.6g}, printed is {known['kappa']}"


def energy_faults(folder):
    sys.path.insert(0, str(folder))
    import evaluate

    with open(folder / "beam_energies.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))[1:]
    expected = list(evaluate.beam_energies())
    same = len(rows) == len(expected) and all(
        len(row) == len(other) and all(abs(float(a) - b) <= TOLERANCE * b for a, b in zip(row, other))
        for row, other in zip(rows, expected))
    if not same:
        yield f"{folder.name}: beam_energies.csv is not what evaluate.py makes"


def comparison_faults(folder):
    text = (folder / "case.toml").read_text(encoding="utf-8")
    used = set(re.findall(r'\bpublished = "([^"]*)"', text))
    for several in re.findall(r"^published = \[(.*?)\]", text, re.M | re.S):
        used.update(re.findall(r'"([^"]*)"', several))
    with open(folder / "published.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            marked = "not compared" in row["note"].lower()
            if (row["id"] in used) == marked:
                what = "is compared and marked as not compared" if marked else "is not compared, and its note does not say why"
                yield f"{folder.name}: '{row['id']}' {what}"


def main():
    cases = [case.parent for case in sorted(pathlib.Path(sys.argv[1]).glob("*/case.toml"))]
    found = [fault for case in cases for fault in [*faults(case), *comparison_faults(case)]]
    found += load_case_faults(pathlib.Path(sys.argv[1]) / "slip-slap")
    found += parameter_faults(pathlib.Path(sys.argv[1]) / "slip-slap")
    found += energy_faults(pathlib.Path(sys.argv[1]) / "ripp")
    print("\n".join(found) or "all evaluated values agree, all published values are compared or say why not")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
