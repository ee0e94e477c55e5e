# SPDX-License-Identifier: Apache-2.0
"""What docstrings, docs/python.md, the README and the notebooks show is what happens."""

import contextlib
import doctest
import importlib
import io
import pathlib
import pydoc
import re
import unittest
import warnings

import matplotlib

matplotlib.use("Agg")

from package import TOP  # noqa: E402

import carom  # noqa: E402

MODULES = ("carom", "carom._errors", "carom._fit", "carom._laws", "carom._many", "carom._map", "carom._motion", "carom._outcome",
           "carom._scenario", "carom._solve", "carom._sweep", "carom._tables")


def run_examples(text, name, names):
    """Runs >>> examples; returns how many failed and were tried."""
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    test.globs = names  # not a copy: the examples of a page follow each other
    out = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    result = runner.run(test, out=out.write, clear_globs=False)
    return result, out.getvalue()


class Docstrings(unittest.TestCase):
    def test_examples(self):
        for name in MODULES:
            result = doctest.testmod(importlib.import_module(name))
            self.assertEqual(result.failed, 0, name)
            self.assertGreater(result.attempted, 0, name)

    def test_help(self):
        text = pydoc.plain(pydoc.render_doc(carom))
        for word in ("solve_many", "InputError", "5.895198487102996"):
            self.assertIn(word, text)
        for name in carom.__all__:
            self.assertTrue(getattr(carom, name).__doc__, name)


class Pages(unittest.TestCase):
    def run_page(self, page):
        """The ```python blocks of a page, one after the other with the same names; returns how many examples ran."""
        names = {}
        tried = 0
        text = (TOP / page).read_text(encoding="utf-8")
        for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            if ">>>" in block:
                result, out = run_examples(block, page, names)
                self.assertEqual(result.failed, 0, out)
                tried += result.attempted
            else:
                exec(compile(block, page, "exec"), names)
                tried += 1
        return tried

    def test_guide(self):
        self.assertGreater(self.run_page("docs/python.md"), 20)

    def test_readme(self):
        self.assertGreater(self.run_page("README.md"), 1)


class Notebooks(unittest.TestCase):
    def test_they_run(self):
        notebooks = sorted((TOP / "examples" / "notebooks").glob("*.py"))
        self.assertEqual(len(notebooks), 8)
        for notebook in notebooks:
            with self.subTest(notebook.name), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("error")
                text = notebook.read_text(encoding="utf-8")
                self.assertIn("## Exercise", text)
                self.assertGreaterEqual(text.count("# %%"), 6)
                exec(compile(text, str(notebook), "exec"), {"__name__": "__main__"})
                import matplotlib.pyplot

                matplotlib.pyplot.close("all")


class Stubs(unittest.TestCase):
    def test_the_compiled_module_has_what_its_stubs_say(self):
        import ast

        from carom._native import native

        tree = ast.parse((pathlib.Path(carom.__file__).resolve().parent / "_carom.pyi").read_text(encoding="utf-8"))
        said = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        has = {name for name in dir(native) if not name.startswith("_")}
        self.assertEqual(said, has)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                members = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
                self.assertEqual(members, {m for m in dir(getattr(native, node.name)) if not m.startswith("_")})


if __name__ == "__main__":
    unittest.main()
