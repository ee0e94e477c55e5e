# SPDX-License-Identifier: Apache-2.0
"""Draws many pictures: python3 -m carom.plot [--processes N] PICTURE...

Each PICTURE is drawn from its record, PICTURE.json.
"""

import argparse
import multiprocessing
import os
import sys


def draw_one(picture):
    import carom.plot

    carom.plot.save(carom.plot.draw(carom.plot.read(picture + ".json")), picture)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m carom.plot", description=__doc__.splitlines()[0])
    parser.add_argument("pictures", nargs="+", metavar="PICTURE", help="drawn from PICTURE.json")
    parser.add_argument("--processes", type=int, default=1, metavar="N", help="default 1; 0: one for each core")
    given = parser.parse_args(arguments)
    processes = min(given.processes or os.cpu_count() or 1, len(given.pictures))
    if processes <= 1:
        for picture in given.pictures:
            draw_one(picture)
        return
    import carom.plot.style  # noqa: F401  (read once, before the processes part)

    with multiprocessing.get_context("fork").Pool(processes) as pool:
        for _ in pool.imap_unordered(draw_one, given.pictures):
            pass


if __name__ == "__main__":
    # Run by its path, as the command does, it finds its own package.
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    main()
