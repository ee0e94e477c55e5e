# SPDX-License-Identifier: Apache-2.0
"""Pictures of impacts, maps and motions, drawn with matplotlib from the records of `carom`.

    import carom.plot
    figure = carom.plot.draw(carom.plot.read("block.svg.json"))
    figure.axes[0].set_xlim(0, 2)          # restyle it as you like
    carom.plot.save(figure, "block.svg")

A record is a dict read from JSON; its member "picture" says what is drawn ("kind") and holds what only
drawing needs. docs/records.md describes it. Texts of a record are drawn as they stand: nothing in them is
markup, and nothing is executed.
"""

import importlib
import json
import os
import tempfile
from collections.abc import Mapping
from typing import Any

from carom.plot import style

#: Which module draws which kind of picture. Each has a function draw(record) that returns a Figure.
KINDS = {
    "routh": "carom.plot.routh",
    "hodograph": "carom.plot.hodograph",
    "course": "carom.plot.course",
    "vehicles": "carom.plot.vehicles",
    "chart": "carom.plot.chart",
    "map": "carom.plot.map",
    "sweep": "carom.plot.sweep",
    "motion": "carom.plot.motion",
    "animation": "carom.plot.animation",
}

#: The formats, by the ending of a picture's name.
ENDINGS = (".svg", ".png", ".pdf", ".gif", ".mp4")


def read(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The record in a file, as a dict."""
    with open(path, encoding="utf-8") as file:
        record: dict[str, Any] = json.load(file)
    return record


def draw(record: Mapping[str, Any]) -> Any:
    """Draws a record.

    Returns a matplotlib Figure; for an animation a matplotlib.animation.Animation.
    """
    kind = record.get("picture", {}).get("kind")
    if kind not in KINDS:
        raise ValueError(f"a record's picture.kind must be one of {', '.join(KINDS)}, got {kind!r}")
    with style.context():
        return importlib.import_module(KINDS[kind]).draw(record)


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Writes a figure or an animation; the file appears whole or not at all.

    The ending of the name decides the format: .svg, .png, .pdf; for animations .gif, .mp4.
    """
    ending = os.path.splitext(path)[1].lower()
    if ending not in ENDINGS:
        raise ValueError(f"a picture's name must end in {', '.join(ENDINGS)}, got {path!r}")
    path = os.path.realpath(path)  # of a link what it points to is replaced
    handle, temporary = tempfile.mkstemp(suffix=ending, dir=os.path.dirname(path))
    os.close(handle)
    try:
        with style.context():
            if hasattr(figure, "savefig"):
                figure.savefig(temporary, **style.save_options(ending))
            else:
                importlib.import_module("carom.plot.animation").write(figure, temporary)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
