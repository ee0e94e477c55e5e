# SPDX-License-Identifier: Apache-2.0
"""Sweeps: histograms with quantiles, shares of categories, which input matters; a grid of one or two axes as
curves."""

import re

import numpy as np
from matplotlib.ticker import MaxNLocator

from carom.plot import style

PANEL_WIDTH, PANEL_HEIGHT = 4.6, 2.9  # inches
MOST_COLUMNS = 3
MOST_CURVES = 8
MOST_CHARACTERS = 20  # of a path on one line


def draw(record):
    """A figure with a panel for each quantity; below it, where there are Sobol' indices, a panel of these."""
    groups = _by_quantity(record["results"])
    grid = record["method"] == "grid"
    drawn = [(_curves if grid and "values" in group[0] else _distribution, group) for group in groups]
    indices = [(_indices, group) for group in groups if "first_order" in group[0]]
    columns = min(MOST_COLUMNS, len(groups))
    drawn += [None] * (-len(drawn) % columns)  # indices begin a row of their own
    panels = drawn + indices
    rows = -(-len(panels) // columns)
    width = PANEL_WIDTH * columns
    heading = (record["title"] or "Sweep", _subtitle(record))
    figure = style.figure(width, PANEL_HEIGHT * rows + style.heading_height(width, *heading))
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, ax in zip(panels + [None] * (len(axes) - len(panels)), axes):
        if panel is None:
            ax.set_axis_off()
        else:
            panel[0](ax, panel[1], record)
    style.heading(figure, *heading)
    return figure


def _by_quantity(results):
    groups = []
    for result in results:
        if groups and result["law"] and groups[-1][0]["quantity"] == result["quantity"]:
            groups[-1].append(result)
        else:
            groups.append([result])
    return groups


def _subtitle(record):
    how = {
        "grid": "a grid",
        "sobol": f"Sobol' sequence, seed {record.get('seed')}",
        "random": f"random points, seed {record.get('seed')}",
    }[record["method"]]
    laws = {result["law"] for result in record["results"]}
    by = f" by {laws.pop()}" if len(laws) == 1 and "" not in laws else ""
    return f"{record['evaluations']:,}".replace(",", " ") + f" {record['of']}{by}, {how}"


def _label(name, unit):
    return style.plain(f"{name} [{unit}]" if unit else name)


def _line(result):
    return style.law(result["law"]) if result["law"] else {"color": style.BLUE, "linestyle": "-", "linewidth": 1.6}


def _distribution(ax, group, record):
    if "categories" in group[0]:
        return _shares(ax, group)
    shown = [result for result in group if "histogram" in result and sum(result["histogram"]["counts"]) > 0]
    for result in shown:
        histogram = result["histogram"]
        counts = np.array(histogram["counts"], dtype=float)
        edges = np.linspace(histogram["from"], histogram["to"], len(counts) + 1)
        name = style.plain(result["law"])
        if edges[0] == edges[-1]:  # all numbers are alike
            ax.axvline(edges[0], label=name, **_line(result))
            continue
        density = counts / (result["count"] * np.diff(edges))
        line = _line(result)
        ax.stairs(density, edges, label=name, color=line["color"], linestyle=line["linestyle"],
                  linewidth=max(1.2, 0.5 * line["linewidth"]))
        ax.stairs(density, edges, fill=True, color=line["color"], alpha=0.12)
        low, high = result["quantiles"][0], result["quantiles"][-1]
        if len(shown) == 1 and len(result["quantiles"]) > 1:
            last = -np.inf
            for quantile in result["quantiles"]:
                value = quantile["value"]
                ax.axvline(value, color=style.SOFT, linewidth=0.8, linestyle=(0, (3, 2)))
                if value - last < 0.05 * (edges[-1] - edges[0]):
                    continue  # its text would be over the one before
                last = value
                ax.annotate(f"{100 * quantile['probability']:g} %", (value, 1), (0, -2),
                            xycoords=("data", "axes fraction"), textcoords="offset points", rotation=90,
                            ha="right", va="top", fontsize=7, color=style.SOFT)
        elif len(result["quantiles"]) > 1:
            for quantile in (low, high):
                ax.plot([quantile["value"]], [0], marker="|", markersize=12, color=line["color"], clip_on=False)
    ax.set_xlabel(_label(group[0]["label"], group[0]["unit"]))
    ax.set_ylabel("probability density")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.ticklabel_format(axis="both", scilimits=(-3, 4), useMathText=True)
    ax.set_ylim(0, ax.get_ylim()[1] * (1.05 + 0.11 * len(shown) if len(shown) > 1 else 1.1))
    if len(shown) > 1:
        ax.legend(fontsize=8)


def _shares(ax, group):
    """Laws may have categories of their own: those of the same label are drawn together."""
    labels = []
    for result in group:
        for category in result["categories"]:
            if category["count"] > 0 and category["label"] not in labels:
                labels.append(category["label"])
    height = 0.8 / len(group)
    for j, result in enumerate(group):
        counts = {category["label"]: category["count"] for category in result["categories"]}
        shares = [100 * counts.get(label, 0) / max(1, result["count"]) for label in labels]
        places = np.arange(len(labels)) + (j - (len(group) - 1) / 2) * height
        ax.barh(places, shares, height=0.9 * height, color=_line(result)["color"], alpha=0.75,
                label=style.plain(result["law"]))
    ax.set_yticks(range(len(labels)), [style.plain(label) for label in labels])
    ax.set_ylim(max(len(labels), 3) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.set_xlabel("share [%]")
    ax.set_title(style.plain(group[0]["label"]), fontsize=9.5)
    ax.grid(axis="y", visible=False)
    if len(group) > 1:
        ax.legend(fontsize=8)


def _indices(ax, group, record):
    """First-order and total indices with 95 % intervals, an input a row."""
    names = [inputs["path"] for inputs in record["inputs"]]
    height = 0.8 / len(group)
    for j, result in enumerate(group):
        places = np.arange(len(names)) + (j - (len(group) - 1) / 2) * height
        colour = _line(result)["color"]
        for kind, marker, fill in (("total", "s", "none"), ("first_order", "o", colour)):
            values = np.array(result[kind]["values"], dtype=float)
            errors = 1.96 * np.array(result[kind]["errors"], dtype=float)
            shift = (0.12 if kind == "total" else -0.12) * height
            known = np.isfinite(values)
            ax.errorbar(values[known], (places + shift)[known], xerr=errors[known], fmt=marker, markersize=4.5, color=colour,
                        markerfacecolor=fill, linewidth=1, capsize=2,
                        label=style.plain(f"{result['law']} {'in all' if kind == 'total' else 'alone'}".strip()))
    ax.set_yticks(range(len(names)), [_broken(name) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlim(min(-0.02, ax.get_xlim()[0]), max(1.02, ax.get_xlim()[1]))
    ax.set_xlabel("share of the variance")
    ax.set_title(style.plain(group[0]["label"]), fontsize=9.5)
    ax.legend(fontsize=7, loc="lower right")


def _broken(path):
    """A long path on several lines, broken after dots."""
    lines = [""]
    for part in re.findall(r"[^.]*\.?", path):
        if lines[-1] and len(lines[-1] + part) > MOST_CHARACTERS:
            lines.append("")
        lines[-1] += part
    return "\n".join(style.plain(line) for line in lines)


def _curves(ax, group, record):
    """Over the first axis; for each value of the second a curve."""
    first = record["inputs"][0]
    second = record["inputs"][1] if len(record["inputs"]) > 1 else None
    x = np.array(first["values"])
    others = np.array(second["values"]) if second else np.array([np.nan])
    chosen = np.unique(np.linspace(0, len(others) - 1, min(MOST_CURVES, len(others))).round().astype(int))
    for result in group:
        values = np.array([np.nan if v is None else v for v in result["values"]], dtype=float)
        values = values.reshape(len(x), len(others))
        line = dict(_line(result), linewidth=1.6)
        for place, j in enumerate(chosen):
            strength = (place + 1) / len(chosen)
            words = [result["law"]] if len(group) > 1 else []
            words += [f"{others[j]:g}"] if second else []
            ax.plot(x, values[:, j], label=style.plain(", ".join(words)), alpha=0.25 + 0.75 * strength, **line)
    if first.get("log"):
        ax.set_xscale("log")
    ax.set_xlabel(_label(first["label"], first["unit"]))
    if "categories" in group[0]:
        labels = [style.plain(category["label"]) for category in group[0]["categories"]]
        ax.set_yticks(range(len(labels)), labels)
    ax.set_ylabel(_label(group[0]["label"], group[0]["unit"]))
    if second or len(group) > 1:
        title = style.plain(_words(second)) if second else None
        ax.legend(fontsize=8, title=title, title_fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))


def _words(given):
    return f"{given['label']} [{given['unit']}]" if given["unit"] else given["label"]
