# SPDX-License-Identifier: Apache-2.0
"""Records of maps made by hand, as `carom map --plot` writes them."""

import base64

import numpy as np


def axis(first, last, points, log=False, label="length", symbol="x", unit="m"):
    values = np.geomspace(first, last, points) if log else np.linspace(first, last, points)
    return {"path": f"a.{symbol}", "label": label, "symbol": symbol, "unit": unit, "log": log, "points": points,
            "values": values.tolist()}


def packed(array):
    return {"dtype": array.dtype.str, "shape": list(array.shape), "base64": base64.b64encode(array.tobytes()).decode()}


def _layer(law, quantity, values, other="", compared="no", boundaries=(), **more):
    title = f"{quantity}, {law}" + (f" and {other}" if other else "")
    return {"quantity": quantity, "name": quantity, "symbol": "q", "unit": "", "law": law, "other": other, "laws": law,
            "compared": compared, "title": title, "boundaries": list(boundaries), "values": packed(values), **more}


def numbers(values, law="newton", quantity="energy", **more):
    """A layer of numbers; NaN: undefined."""
    values = np.asarray(values, "<f4")
    finite = values[np.isfinite(values)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (None, None)
    return _layer(law, quantity, values, least=ends[0], greatest=ends[1],
                  undefined=1 - finite.size / values.size, **more)


def names(values, labels, law="newton", quantity="mode", **more):
    """A layer of categories; 255: undefined."""
    values = np.asarray(values, "|u1")
    categories = [{"label": label, "meaning": f"what {label} means", "share": float(np.mean(values == k))}
                  for k, label in enumerate(labels)]
    return _layer(law, quantity, values, categories=categories, undefined=float(np.mean(values == 255)), **more)


def boundary(x, y, name="R_F", meaning="where something changes", law="newton", kind="mode"):
    return {"law": law, "name": name, "meaning": meaning, "kind": kind, "lines": [{"x": list(x), "y": list(y)}]}


def record(x, y, layers, boundaries=(), contours=(), title="A title", subtitle="friction = 0.3", style="map"):
    return {"version": "", "command": "", "scenario": {"file": "", "text": "", "system": "bar"}, "fixed": [], "x": x,
            "y": y, "layers": layers, "boundaries": list(boundaries), "contours": list(contours), "notes": [],
            "picture": {"kind": "map", "title": title, "subtitle": subtitle, "style": style}}


def plane(columns=61, rows=41):
    """x, y and numbers with a pole and a hole."""
    x, y = axis(-1, 1, columns), axis(0, 2, rows, label="height", symbol="y")
    a, b = np.meshgrid(x["values"], y["values"])
    with np.errstate(divide="ignore"):
        values = 1 / (a - 0.3 * b + 0.001) + b
    values[(a > 0.5) & (b > 1.5)] = np.nan
    return x, y, values
