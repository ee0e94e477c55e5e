# SPDX-License-Identifier: Apache-2.0
"""Everything public is annotated, with types that exist."""

import importlib
import inspect
import pathlib
import typing
import unittest

import carom
import carom.plot

#: Of packages that are imported when they are needed: a type checker finds them.
LATER = {"Figure": object, "DataFrame": object}


def functions_of(thing):
    """(name, function) of a function, or of what a class has: methods, getters of properties, operators."""
    if inspect.isfunction(thing):
        return [(thing.__name__, thing)]
    found = []
    for name, member in vars(thing).items():
        member = member.fget if isinstance(member, property) else member
        if inspect.isfunction(member) and (not name.startswith("_") or name.endswith("__")):
            if not name.startswith("_no_init"):  # of typing.Protocol
                found.append((f"{thing.__name__}.{name}", member))
    return found


class Types(unittest.TestCase):
    def test_all_are_annotated(self):
        things = [getattr(carom, name) for name in carom.__all__ if name != "plot"]
        things += [carom.plot.read, carom.plot.draw, carom.plot.save]
        checked = 0
        for thing in things:
            for name, function in functions_of(thing):
                if not function.__module__.startswith("carom"):
                    continue
                with self.subTest(name):
                    hints = typing.get_type_hints(function, localns=LATER)
                    self.assertIn("return", hints)
                    parameters = list(inspect.signature(function).parameters)
                    self.assertEqual([p for p in parameters if p != "self" and p not in hints], [])
                    checked += 1
        self.assertGreater(checked, 90)

    def test_a_type_checker_sees_all_names(self):
        """The imports that it alone follows are of what is imported when it is used."""
        import ast

        tree = ast.parse(pathlib.Path(carom.__file__).read_text(encoding="utf-8"))
        block = next(node for node in tree.body if isinstance(node, ast.If))
        seen = {}
        for node in block.body:
            for name in node.names:
                self.assertEqual(name.name, name.asname)  # only so is it one of the package's names
                seen[name.name] = node.module
        self.assertEqual(set(seen) | {"InputError"}, set(carom.__all__))
        for name, module in seen.items():
            if name != "plot":
                self.assertIs(getattr(carom, name), getattr(importlib.import_module(module), name))


if __name__ == "__main__":
    unittest.main()
