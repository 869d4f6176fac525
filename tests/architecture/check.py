"""The rules of docs/architecture.md, checked on the text of the sources.

    python3 check.py ROOT

Prints one line for each violation, `file:line: what. What to do.`, and exits with 1 if there is any. The table of rooms is
read from ROOT/docs/architecture.md, so the page and the check cannot drift apart.
"""

import pathlib
import re
import sys

MAXIMUM_LINES = 450
MAXIMUM_FUNCTION = 60
SOURCES = {".hpp", ".cpp"}
EVERYWHERE = ("Eigen/", "fmt/")

# How the headers of a library begin -> the library's name in the table.
THIRD_PARTY = {
    "fftw3": "FFTW3",
    "kinsol/": "SUNDIALS",
    "nvector/": "SUNDIALS",
    "sundials/": "SUNDIALS",
    "sunlinsol/": "SUNDIALS",
    "sunmatrix/": "SUNDIALS",
    "boost/": "Boost",
    "toml++/": "toml++",
    "hdf5": "HDF5",
    "H5": "HDF5",
    "matio": "matio",
    "Spectra/": "Spectra",
    "ceres/": "Ceres",
    "CLI/": "CLI11",
}
STANDARD = re.compile(r"[a-z_0-9]+|sys/[a-z]+\.h|[a-z]+\.h")  # <vector>, <sys/resource.h>, <unistd.h>
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
NO_FUNCTION = re.compile(r"\s*((namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|try)\b|\}|//)")
HOME = re.compile(r"(?<![\w.])/(?:home|root|work|Users)/")


class Rooms:
    """The table: which room may include which, and which libraries."""

    def __init__(self, page):
        self.may_include, self.libraries = {}, {}
        header = ["room", "may include", "libraries"]
        inside = False
        for line in page.read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not line.startswith("|"):
                inside = False
            elif cells[:3] == header:
                inside = True
            elif inside and not cells[0].startswith("---"):
                self.may_include[cells[0]] = split(cells[1])
                self.libraries[cells[0]] = split(cells[2])
        if not self.may_include:
            raise SystemExit(f"{page}: no table with the columns {', '.join(header)}.")


def split(cell):
    return {word.strip() for word in cell.split(",") if word.strip()}


def room_of(relative):
    """'lib/masing/contact/law.hpp' -> 'contact'; 'apps/masing/main.cpp' -> 'apps'; the umbrella header -> ''."""
    parts = relative.parts
    if parts[0] == "apps":
        return "apps"
    return parts[2] if len(parts) > 3 else ""


def sources(root, *folders):
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES:
                yield path.relative_to(root)


def check_own_include(root, rooms, path, room, included):
    """An include of ours: the file exists, the arrow is in the table, detail/ stays private."""
    if not included.startswith("masing/"):
        if "/" in included or not (root / path.parent / included).is_file():
            yield f'"{included}": write the path from lib, as in "masing/core/types.hpp".'
        return
    if not (root / "lib" / included).is_file():
        yield f'"{included}" does not exist.'
        return
    target = room_of(pathlib.PurePath("lib") / included)
    if room and target not in rooms.may_include[room] | {room}:
        allowed = ", ".join(sorted(rooms.may_include[room])) or "nothing"
        yield f"{room} must not include {target or 'the umbrella header'} (\"{included}\"). It may include: {allowed}."
    elif "/detail/" in included and target != room:
        yield f'"{included}" is private to the room {target}.'


def check_library_include(rooms, room, included):
    """A third-party header: known, and in its room."""
    if included.startswith(EVERYWHERE) or STANDARD.fullmatch(included) and not included.startswith(tuple(THIRD_PARTY)):
        return
    library = next((name for prefix, name in THIRD_PARTY.items() if included.startswith(prefix)), None)
    if library is None:
        yield f"<{included}> belongs to no library of the table in docs/architecture.md."
    elif library not in rooms.libraries.get(room, set()):
        yield f"{room} must not use {library} (<{included}>)."


def included_files(root, path):
    text = (root / path).read_text(encoding="utf-8")
    return [match.groups() for match in map(INCLUDE.match, text.splitlines()) if match]


def check_public_headers(root):
    """No public header brings in a third-party header, directly or through others of ours."""
    includes = {path.relative_to("lib").as_posix(): included_files(root, path)
                for path in sources(root, "lib") if path.suffix == ".hpp"}

    def third_party(name, seen):
        for kind, included in includes.get(name, []):
            if kind == "<" and included.startswith(tuple(THIRD_PARTY)):
                return included
            if kind == '"' and included not in seen:
                seen.add(included)
                if found := third_party(included, seen):
                    return found
        return None

    for name in includes:
        found = third_party(name, {name})
        if found and "/detail/" not in name and name != "masing/masing.hpp":
            yield f"lib/{name}: brings <{found}> to whoever includes it. Third-party headers belong in .cpp files or detail/."


def check_includes(root, rooms):
    for path in sources(root, "lib", "apps"):
        room = room_of(path)
        if room and room not in rooms.may_include:
            yield f"{path}: the room {room} is not in the table of docs/architecture.md."
            continue
        for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), start=1):
            match = INCLUDE.match(line)
            if not match:
                continue
            kind, included = match.groups()
            faults = (check_own_include(root, rooms, path, room, included) if kind == '"'
                      else check_library_include(rooms, room, included))
            for fault in faults:
                yield f"{path}:{number}: {fault}"


def check_room_targets(root, rooms):
    """DEPENDS of lib/CMakeLists.txt stays within the table."""
    path = pathlib.PurePath("lib/CMakeLists.txt")
    text = (root / path).read_text(encoding="utf-8")
    for room, depends in re.findall(r"masing_add_room\((\w+)(?:\s+DEPENDS\s+([\w\s]*?))?(?:\s+LIBRARIES[^)]*)?\)", text):
        for target in depends.split():
            if target not in rooms.may_include.get(room, set()):
                yield f"{path}: {room} must not link {target}."


def check_umbrella(root):
    """lib/masing/masing.hpp includes every public header."""
    path = pathlib.PurePath("lib/masing/masing.hpp")
    text = (root / path).read_text(encoding="utf-8")
    for header in sources(root, "lib"):
        name = header.relative_to("lib").as_posix()
        if header.suffix == ".hpp" and header != path and "detail" not in header.parts and f'"{name}"' not in text:
            yield f'{path}: the public header "{name}" is missing.'


def check_lengths(root):
    for path in sources(root, "lib", "apps", "tests"):
        lines = len((root / path).read_text(encoding="utf-8").splitlines())
        if lines > MAXIMUM_LINES:
            yield f"{path}: {lines} lines, {MAXIMUM_LINES} are allowed. Does it still hold one idea?"


def functions(lines):
    """(first line, length) of every function: clang-format puts the closing brace under the first letter of it."""
    for start, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        if indent > 2 or "(" not in line or NO_FUNCTION.match(line):
            continue
        brace = next((i for i in range(start, len(lines)) if lines[i].endswith(("{", "}", ";"))), start)
        if not lines[brace].endswith("{"):
            continue
        end = next((i for i in range(brace + 1, len(lines)) if re.match(rf"\s{{0,{indent}}}\}}", lines[i])), brace)
        if lines[end] == " " * indent + "}":
            yield start + 1, end - start + 1


def check_function_lengths(root):
    for path in sources(root, "lib", "apps"):
        for start, length in functions((root / path).read_text(encoding="utf-8").splitlines()):
            if length > MAXIMUM_FUNCTION:
                yield f"{path}:{start}: a function of {length} lines, {MAXIMUM_FUNCTION} are allowed."


def check_room_sentences(root):
    """Every room has its line in lib/README.md: | `contact` | … |"""
    path = pathlib.PurePath("lib/README.md")
    text = (root / path).read_text(encoding="utf-8")
    for folder in sorted((root / "lib/masing").iterdir()):
        if folder.is_dir() and any(folder.iterdir()) and not re.search(rf"^\| `{folder.name}` \| \S", text, re.M):
            yield f"{path}: no sentence about the room {folder.name}."


def check_example(root):
    """docs/cpp-library.md shows the example program as the tests build it."""
    program = (root / "docs/examples/library_use/main.cpp").read_text(encoding="utf-8").strip()
    if program not in (root / "docs/cpp-library.md").read_text(encoding="utf-8"):
        yield "docs/cpp-library.md: its program differs from docs/examples/library_use/main.cpp."


def check_home_paths(root):
    suffixes = SOURCES | {".md", ".py", ".txt", ".cmake", ".in", ".toml", ".json", ".cff", ".sh", ""}
    folders = [root / name for name in ("lib", "apps", "tests", "docs", "scripts", "cmake", "models", ".ci")]
    files = [path for folder in folders for path in sorted(folder.rglob("*"))]
    files += [path for path in sorted(root.glob("*.*")) if path.name != ".git"]
    for path in files:
        if not path.is_file() or path.suffix not in suffixes or "__pycache__" in path.parts:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if HOME.search(line):
                yield f"{path.relative_to(root)}:{number}: the path of one machine: {line.strip()[:80]}"


def violations(root):
    rooms = Rooms(root / "docs/architecture.md")
    yield from check_includes(root, rooms)
    yield from check_public_headers(root)
    yield from check_room_targets(root, rooms)
    yield from check_umbrella(root)
    yield from check_lengths(root)
    yield from check_function_lengths(root)
    yield from check_room_sentences(root)
    yield from check_example(root)
    yield from check_home_paths(root)


def main():
    found = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(found) if found else "The house is in order.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
