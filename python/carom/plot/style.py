# SPDX-License-Identifier: Apache-2.0
"""What all pictures share: colours, lines, texts, headings."""

import contextlib
import functools

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

#: Colours of Okabe & Ito, which stay apart in all common forms of colour blindness.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER, YELLOW, BLACK = "#56B4E9", "#E69F00", "#F0E442", "#000000"
INK, SOFT, FAINT, SHADE = "#1b1f24", "#57606a", "#d0d7de", "#f0f1f3"

_SETTINGS = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.labelsize": 9.5,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.unicode_minus": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "legend.handlelength": 2.6,
    "lines.linewidth": 1.6,
    "lines.solid_capstyle": "round",
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "savefig.dpi": 150,
    "savefig.facecolor": "white",
    "path.simplify": True,
    "svg.fonttype": "path",
    "svg.hashsalt": "carom",
    "text.usetex": False,
    "text.parse_math": True,
    "figure.max_open_warning": 0,
}


def context():
    """matplotlib's settings for the pictures of Carom, whatever the user's own are."""
    stack = contextlib.ExitStack()
    stack.enter_context(matplotlib.rc_context())
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(_SETTINGS)
    return stack


def figure(width, height):
    """An empty figure [inches] with constrained layout, known to nobody but the caller (pyplot keeps none)."""
    made = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(made)
    return made


def save_options(ending):
    """For savefig: no dates, so that the same record gives the same file. Images in files that can be magnified
    have twice the resolution of a PNG."""
    if ending == ".svg":
        return {"dpi": 300, "metadata": {"Date": None, "Creator": "carom"}}
    if ending == ".pdf":
        return {"dpi": 300, "metadata": {"CreationDate": None, "Creator": "carom"}}
    return {}


# --- laws --------------------------------------------------------------------------------------------

#: How a law is drawn, in every picture: colour, dashes, width of its line, marker of its end and the
#: marker's size. Each of them distinguishes the law, for those who see no colours. Laws with a process are
#: solid; laws that know only the total are dashed, because their line joins two ends and is no path.
LAWS = {
    "newton": (ORANGE, "-", 4.6, "s", 10.5),
    "poisson": (BLUE, "-", 2.9, "o", 8.5),
    "energetic": (GREEN, "-", 1.5, "^", 6.5),
    "moreau": (PURPLE, (0, (6, 3)), 1.7, "D", 7.5),
    "moreau:poisson": (SKY, (0, (7, 2, 1, 2)), 1.2, "v", 7),
    "conventional": (AMBER, (0, (3, 3)), 1.3, "x", 8),
    "conventional:rebound": ("#8C6D31", (0, (3, 2, 1, 2)), 1.2, "+", 10),
    "brach": (BLACK, (0, (1, 2)), 1.2, "p", 11.5),
    "sun-baruh": ("#A89A00", "-", 2.4, "<", 7),
    "sun-baruh:energetic": ("#882255", "-", 0.9, ">", 6),
    "compliant": ("#7F3C8D", "-", 1.0, "*", 8),
    "lzb": ("#117733", "-", 1.8, "P", 6),
}
_PLAIN = ("#606060", (0, (5, 2)), 1.1, ".", 6)

#: Other names of laws.
ALIASES = {"shen-townsend": "poisson", "walton": "moreau"}


def law(name):
    """Keyword arguments for a line: color, linestyle, linewidth."""
    colour, dashes, width, _, _ = LAWS.get(ALIASES.get(name, name), _PLAIN)
    return {"color": colour, "linestyle": dashes, "linewidth": width}


def law_end(name):
    """Keyword arguments for the hollow marker where a law's line ends."""
    colour, _, _, marker, size = LAWS.get(ALIASES.get(name, name), _PLAIN)
    return {
        "color": colour,
        "marker": marker,
        "markersize": size,
        "markerfacecolor": "none",
        "markeredgewidth": 1.4,
        "linestyle": "none",
    }


# --- texts -------------------------------------------------------------------------------------------


def plain(text):
    """A text of a record, for matplotlib: drawn as it stands, on one line.

    A dollar sign starts no formula, a control character is a space, and a name that begins with an underscore
    is not hidden from a legend.
    """
    clean = "".join(c if c.isprintable() else " " for c in str(text)).replace("$", r"\$")
    return "\u200a" + clean if clean.startswith("_") else clean


@functools.lru_cache(maxsize=4096)
def text_width(text, size, weight="normal"):
    """The width of a plain text in points."""
    if not text.strip():
        return 0.0
    font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
    return text_to_path.get_text_width_height_descent(text.replace(r"\$", "$"), font, ismath=False)[0]


def items(text):
    """The items of a list in words, each with the comma or semicolon that ends it: "e = 0.5, v = (1, 2) m/s" has two."""
    found, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == " " and depth <= 0 and found[-1].endswith((",", ";")):
            found.append("")
        else:
            found[-1] += character
    return found


def wrap(text, width, size, weight="normal", most=6, split=str.split):
    """Breaks a plain text into lines no wider than `width` points; after `most` lines it ends in an ellipsis.

    Lines end between the pieces that `split` gives, or between words where a piece is wider than a line.
    """

    def fits(line):
        return text_width(line, size, weight) <= width

    lines = [""]
    for word in (word for piece in split(text) for word in ([piece] if fits(piece) else piece.split())):
        while not fits(word):  # longer than a line: cut where it must be
            end = max(1, next(n for n in range(len(word), 0, -1) if n == 1 or fits(word[:n])))
            lines += [word[:end], ""]
            word = word[end:]
        joined = f"{lines[-1]} {word}".strip()
        if fits(joined):
            lines[-1] = joined
        else:
            lines.append(word)
    lines = [line for line in lines if line] or [""]
    if len(lines) > most:
        lines = lines[:most]
        while lines[-1] and not fits(lines[-1] + " \u2026"):
            lines[-1] = lines[-1][:-1]
        lines[-1] += " \u2026"
    return "\n".join(lines)


def balanced(text, width, size, weight="normal", split=str.split):
    """`wrap` with lines of about the same width, so that no word stands alone on the last."""
    lines = wrap(text, width, size, weight, split=split)
    widths = [text_width(piece, size, weight) for piece in split(text)]
    widest = max((w for w in widths if w <= width), default=0.0)
    for share in (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55):
        narrower = wrap(text, share * width, size, weight, split=split)
        if widest > share * width or narrower.count("\n") > lines.count("\n") or narrower.endswith("\u2026"):
            break
        lines = narrower
    return lines


def _heading_texts(width, title, subtitle):
    """[(lines, size, weight, colour)] for a figure of this width [inches]. Lines of a subtitle end between its items."""
    texts = ((title, 12.5, "bold", INK, str.split), (subtitle, 9.5, "normal", SOFT, items))
    return [(balanced(plain(text), 72 * width - 28, size, weight, split), size, weight, colour)
            for text, size, weight, colour, split in texts if text]


def _text_height(lines, size):
    """[points]"""
    return 1.32 * size * (lines.count("\n") + 1) + 2


def heading_height(width, title, subtitle=""):
    """What a heading takes from the height of a figure of this width [inches]."""
    return (10 + sum(_text_height(lines, size) for lines, size, *_ in _heading_texts(width, title, subtitle))) / 72


def heading(figure, title, subtitle=""):
    """Title and subtitle above all axes, broken into lines so that they fit the figure's width.

    @pre the figure's layout engine is "constrained"; axes get the room below.
    """
    width, height = figure.get_figwidth(), 72 * figure.get_figheight()
    y = 8.0  # points from the top
    for lines, size, weight, colour in _heading_texts(width, title, subtitle):
        figure.text(0.5, 1 - y / height, lines, fontsize=size, fontweight=weight, color=colour, ha="center",
                    va="top", linespacing=1.2)
        y += _text_height(lines, size)
    figure.get_layout_engine().set(rect=(0, 0, 1, 1 - (y + 2) / height))
