#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What Python adds: carom.solve_many against carom::batch, and carom.solve against the law alone, in one run.

    ./run python benchmarks/python_batch.py build/release/benchmarks/batch_columns [COUNT]

Both sides make new memory for the answers, and both use all cores. Of five repetitions the quickest counts.
"""

import subprocess
import sys
import time
import timeit

import numpy

import carom


def many(program, count):
    random = numpy.random.default_rng(1)
    G = numpy.empty((count, 2, 2))
    G[:, 0, 0] = 1
    G[:, 1, 1] = random.uniform(1, 3, count)
    G[:, 0, 1] = G[:, 1, 0] = random.uniform(-0.9, 0.9, count)
    v = numpy.stack([random.uniform(-1, -0.1, count), random.uniform(-1, 1, count)], -1)
    # One repetition of each in turn, so that a machine that is busy is so for both.
    batch, python = [], []
    for _ in range(5):
        run = subprocess.run([program, str(count), "1"], check=True, capture_output=True, text=True)
        batch.append([float(number) for number in run.stdout.split()])
        began = time.perf_counter(), time.process_time()
        carom.solve_many(G, v, law="energetic", restitution=0.5, friction=0.3)
        python.append([time.perf_counter() - began[0], time.process_time() - began[1]])
    for k, of in enumerate(("", " of processors")):
        ours, theirs = min(row[k] for row in python), min(row[k] for row in batch)
        print(f"{count} problems in the plane: solve_many {ours:.3f} s{of}, carom::batch {theirs:.3f} s{of}, "
              f"ratio {ours / theirs:.2f}")


def one():
    given = dict(inverse_inertia=[[1, 0.9], [0.9, 1]], approach=[-1, -0.5], restitution=1, friction=1)
    arrays = given | {key: numpy.array(given[key], float) for key in ("inverse_inertia", "approach")}
    for name, keywords in (("lists", given), ("arrays", arrays)):
        times = timeit.repeat(lambda: carom.solve(law="energetic", **keywords), number=10000, repeat=9,
                              timer=time.process_time)
        print(f"one solve from {name}: {min(times) / 10000 * 1e6:.2f} us of a processor, of which the law takes 0.1 us")


if __name__ == "__main__":
    one()
    if len(sys.argv) > 1:
        many(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000)
