"""Every complete study on a page of the documentation is one that Masing accepts.

    python3 check_studies.py MASING PAGE…

A study is a ```toml block with a structure and an analysis, or with a joint and a loop. Each goes through `masing check`.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def studies(page):
    for block in re.findall(r"^```toml\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
        if ("structure" in block and "[[analysis]]" in block) or ("[[joint]]" in block and "[[loop]]" in block):
            yield block


def main():
    program, pages = sys.argv[1], [pathlib.Path(page) for page in sys.argv[2:]]
    checked = failed = 0
    for page in pages:
        for study in studies(page):
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / "study.toml"
                file.write_text(study, encoding="utf-8")
                run = subprocess.run([program, "check", str(file)], capture_output=True, text=True, check=False)
            checked += 1
            if run.returncode != 0:
                failed += 1
                print(f"{page.name}: exit code {run.returncode}\n{run.stderr}\n{study}")
    print(f"{checked} studies checked, {failed} refused")
    return 0 if checked > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
