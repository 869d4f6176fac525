"""Runs the code blocks of one language in a page and compares what they print with the text block behind each.

    run_snippets.py PAGE.md python|matlab

Exit code 0: all as the page says; 1: not; 77: nothing here can run the language (the test is skipped).
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def python_with_h5py():
    """The first python3 on PATH that can import h5py: of several, not all may see the packages of the system."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        candidate = Path(folder) / "python3"
        trial = [candidate, "-c", "import h5py"]
        if candidate.is_file() and subprocess.run(trial, capture_output=True).returncode == 0:
            return str(candidate)
    sys.exit("no python3 on PATH can import h5py. Install it: apt-get install python3-h5py")


def blocks(page, language):
    """(code, expected output) for each block; every block needs a text block behind it."""
    fence = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    found = fence.findall(page)
    pairs = [(code, found[i + 1]) for i, (kind, code) in enumerate(found) if kind == language and i + 1 < len(found)]
    if not pairs or any(kind != "text" for _, (kind, _) in pairs):
        sys.exit(f"a {language} block without a text block behind it, or none at all")
    return [(code, expected) for code, (_, expected) in pairs]


def run(language, code):
    if language == "python":
        return subprocess.run([python_with_h5py(), "-"], input=code, capture_output=True, text=True)
    Path("snippet.m").write_text(code)
    environment = dict(os.environ, MASING_PYTHON=python_with_h5py(),
                       MASING_H5_VALUE=str(HERE / "octave" / "h5_value.py"))
    command = ["octave-cli", "--norc", "--quiet", "--path", str(HERE / "octave"), "snippet.m"]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def main(page, language):
    if language == "matlab" and shutil.which("octave-cli") is None:
        print("GNU Octave is not installed: the MATLAB snippets are not run")
        return 77
    failures = 0
    for code, expected in blocks(Path(page).read_text(encoding="utf-8"), language):
        result = run(language, code)
        if result.returncode != 0 or result.stdout != expected:
            failures += 1
            print(f"--- this block\n{code}--- should print\n{expected}--- but printed\n{result.stdout}{result.stderr}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
