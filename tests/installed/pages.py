#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link of the pages below a directory leads to a file, and what they show to type is the command."""

import pathlib
import re
import sys

top = pathlib.Path(sys.argv[1]).resolve()
wrong = []
links = 0
for page in sorted(top.rglob("*.md")):
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(top)
    if name.parts[0] == "docs" and re.search(r"^\$ .*\./run", text, re.MULTILINE):
        wrong.append(f"{name}: shows ./run, which is not installed")
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)", prose):
        if target.startswith("http"):
            continue
        links += 1
        if not (page.parent / target).exists():
            wrong.append(f"{name}: no {target}")
if links < 100:
    wrong.append(f"only {links} links are found")
sys.exit("\n".join(wrong) or 0)
