"""Does check.py catch what it must? Small trees with one fault each."""

import pathlib
import tempfile
import unittest

import check

PAGE = """
| room | may include | libraries | in one sentence |
| --- | --- | --- | --- |
| core | | | base |
| contact | core | | laws |
| solve | core | SUNDIALS | Newton |
| apps | core, contact | CLI11 | program |
"""

CLEAN = {
    "docs/architecture.md": PAGE,
    "docs/cpp-library.md": "```cpp\nint main() {}\n```\n",
    "docs/examples/library_use/main.cpp": "int main() {}\n",
    "lib/README.md": "| `core` | base |\n| `contact` | laws |\n| `solve` | Newton |\n",
    "lib/CMakeLists.txt": "masing_add_room(core)\nmasing_add_room(contact DEPENDS core)\n"
                          "masing_add_room(solve DEPENDS core LIBRARIES SUNDIALS::kinsol)\n",
    "lib/masing/masing.hpp": '#include "masing/core/types.hpp"\n#include "masing/contact/law.hpp"\n',
    "lib/masing/core/types.hpp": "#include <Eigen/Core>\n#include <vector>\n",
    "lib/masing/contact/law.hpp": '#include "masing/core/types.hpp"\n#include "masing/contact/detail/march.hpp"\n',
    "lib/masing/contact/detail/march.hpp": "#include <fmt/core.h>\n",
    "lib/masing/solve/newton.cpp": '#include <kinsol/kinsol.h>\n#include "masing/core/types.hpp"\n',
    "apps/masing/main.cpp": '#include "masing/contact/law.hpp"\n#include <CLI/CLI.hpp>\n#include "run.hpp"\n',
    "apps/masing/run.hpp": "#include <string>\n",
}


class Check(unittest.TestCase):
    def found(self, **changes):
        """Violations in the clean tree with `changes` (path -> text) written over it."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**CLEAN, **changes}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(check.violations(root))

    def assert_caught(self, expected, **changes):
        found = self.found(**changes)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.found(), [])

    def test_forbidden_arrow(self):
        self.assert_caught("lib/masing/core/types.cpp:2: core must not include contact",
                           **{"lib/masing/core/types.cpp": '#include <vector>\n#include "masing/contact/law.hpp"\n'})

    def test_arrow_to_a_sister_room(self):
        self.assert_caught('contact must not include solve ("masing/solve/newton.hpp"). It may include: core.',
                           **{"lib/masing/solve/newton.hpp": "",
                              "lib/masing/masing.hpp": CLEAN["lib/masing/masing.hpp"] + '#include "masing/solve/newton.hpp"\n',
                              "lib/masing/contact/law.cpp": '#include "masing/solve/newton.hpp"\n'})

    def test_the_umbrella_header_is_for_users(self):
        self.assert_caught("core must not include the umbrella header",
                           **{"lib/masing/core/a.cpp": '#include "masing/masing.hpp"\n'})

    def test_detail_is_private(self):
        self.assert_caught("private to the room contact",
                           **{"apps/masing/run.cpp": '#include "masing/contact/detail/march.hpp"\n'})

    def test_third_party_in_a_private_header(self):
        self.assertEqual(self.found(**{"lib/masing/solve/detail/kinsol.hpp": "#include <kinsol/kinsol.h>\n"}), [])

    def test_third_party_in_a_public_header(self):
        umbrella = CLEAN["lib/masing/masing.hpp"] + '#include "masing/solve/newton.hpp"\n'
        private = '#include "masing/solve/detail/kinsol.hpp"\n'
        for text in ("#include <kinsol/kinsol.h>\n", private):
            self.assert_caught("lib/masing/solve/newton.hpp: brings <kinsol/kinsol.h>",
                               **{"lib/masing/masing.hpp": umbrella, "lib/masing/solve/newton.hpp": text,
                                  "lib/masing/solve/detail/kinsol.hpp": "#include <kinsol/kinsol.h>\n"})

    def test_third_party_in_the_wrong_room(self):
        self.assert_caught("contact must not use SUNDIALS", **{"lib/masing/contact/law.cpp": "#include <kinsol/kinsol.h>\n"})

    def test_hdf5_is_not_mistaken_for_a_standard_header(self):
        self.assert_caught("contact must not use HDF5", **{"lib/masing/contact/law.cpp": "#include <hdf5.h>\n"})

    def test_unknown_library(self):
        self.assert_caught("belongs to no library", **{"lib/masing/core/a.cpp": "#include <Poco/Net.h>\n"})

    def test_missing_file(self):
        self.assert_caught("does not exist", **{"lib/masing/core/a.cpp": '#include "masing/core/nothing.hpp"\n'})

    def test_relative_include(self):
        self.assert_caught("write the path from lib", **{"lib/masing/contact/a.cpp": '#include "../core/types.hpp"\n'})

    def test_room_without_a_row(self):
        found = self.found(**{"lib/masing/attic/a.cpp": ""})
        self.assertIn("the room attic is not in the table", found[0])
        self.assertIn("no sentence about the room attic", found[1])

    def test_link_arrow(self):
        self.assert_caught("contact must not link solve",
                           **{"lib/CMakeLists.txt": "masing_add_room(contact DEPENDS core solve)\n"})

    def test_header_missing_from_the_umbrella(self):
        self.assert_caught('the public header "masing/core/error.hpp" is missing', **{"lib/masing/core/error.hpp": ""})

    def test_long_file(self):
        self.assert_caught("451 lines, 450 are allowed", **{"lib/masing/core/a.cpp": "\n" * 451})

    def test_long_function(self):
        body = "  step();\n"
        longest = "namespace masing {\nvoid march(int a,\n           int b) {\n" + 57 * body + "}\n}\n"
        self.assertEqual(self.found(**{"lib/masing/core/a.cpp": longest}), [])
        self.assert_caught("lib/masing/core/a.cpp:2: a function of 61 lines, 60 are allowed",
                           **{"lib/masing/core/a.cpp": longest.replace(body, 2 * body, 1)})

    def test_long_member_function(self):
        text = "class A {\n  void march() {\n" + 60 * "    step();\n" + "  }\n};\n"
        self.assert_caught("a function of 62 lines", **{"lib/masing/core/a.cpp": text})

    def test_outdated_example(self):
        self.assert_caught("its program differs", **{"docs/examples/library_use/main.cpp": "int main() { return 0; }\n"})

    def test_path_of_one_machine(self):
        self.assert_caught("docs/page.md:2: the path of one machine", **{"docs/page.md": "fine\n" + "/".join(["", "home", "me"])})


if __name__ == "__main__":
    unittest.main()
