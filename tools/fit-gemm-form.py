#!/usr/bin/env python3
"""Fits the GEMM form of a GPU profile to measured GEMM times and prints its four figures with their error.

  t = t0 + (tc^p + tm^p)^(1/p),  tc = 2mnk/(ec*peak),  tm = 2(mk + kn + mn)/(em*bandwidth)

The form is fitted on three rows of four by the mean absolute error of the logarithm; the fourth row tells the error. Rows below 30 us are
launch-bound and left out. `aic` reads a gemm table of ai-dynamo/aiconfigurator, `layers` the dense.csv and per_sequence.csv of a layer profile of
Llama-3.1-8B at TP 1.

  tools/fit-gemm-form.py aic DATA/ops/aiconfigurator/a100_sxm_gemm_vllm_0.14.0_gemm_perf.csv.gz --peak 312e12 --bandwidth 2.039e12
  tools/fit-gemm-form.py layers DATA/ops/vllm-layers/RTX4090/meta-llama/Llama-3.1-8B/bf16/tp1 --peak 165.2e12 --bandwidth 1.008e12
"""

import argparse
import csv
import gzip
import math
import os
import statistics

LEAST_SECONDS = 30e-6
MOST_ROWS = 4000
MOST_TOKENS, WIDTHS = 8192, (1024, 32768)  # what serving asks for
# n, k of Llama-3.1-8B's GEMMs at TP 1.
LAYERS = {"qkv_proj": (6144, 4096), "o_proj": (4096, 4096), "gate_up_proj": (28672, 4096), "down_proj": (4096, 14336), "lm_head": (128256, 4096)}


def aic_rows(path):
    with gzip.open(path, "rt", newline="") as stream:
        rows = [(int(r["m"]), int(r["n"]), int(r["k"]), float(r["latency"]) * 1e-3) for r in csv.DictReader(stream)
                if r["gemm_dtype"] in ("bfloat16", "float16")]
    rows = sorted(r for r in set(rows) if r[3] >= LEAST_SECONDS and r[0] <= MOST_TOKENS and all(WIDTHS[0] <= side <= WIDTHS[1] for side in r[1:3]))
    return rows[:: max(1, len(rows) // MOST_ROWS)]


def layer_rows(folder):
    rows = []
    for name, axis in (("dense.csv", "tokens"), ("per_sequence.csv", "sequences")):
        with open(os.path.join(folder, name), newline="") as stream:
            for r in csv.DictReader(stream):
                if r["layer"] in LAYERS and float(r["time_us"]) * 1e-6 >= LEAST_SECONDS:
                    n, k = LAYERS[r["layer"]]
                    rows.append((int(r[axis]), n, k, float(r["time_us"]) * 1e-6))
    return sorted(rows)


def form(x, row, peak, bandwidth):
    t0, ec, em, p = x
    m, n, k, _ = row
    tc = 2.0 * m * n * k / (ec * peak)
    tm = 2.0 * (m * k + k * n + m * n) / (em * bandwidth)
    top = max(tc, tm)
    return t0 + top * ((tc / top) ** p + (tm / top) ** p) ** (1 / p)


def errors(x, rows, peak, bandwidth):
    return [abs(math.log(form(x, r, peak, bandwidth) / r[3])) for r in rows]


def nelder_mead(loss, x, scale, rounds):
    simplex = [list(x)] + [[v + (scale[i] if i == j else 0) for j, v in enumerate(x)] for i in range(len(x))]
    values = [loss(s) for s in simplex]
    for _ in range(rounds):
        order = sorted(range(len(simplex)), key=values.__getitem__)
        simplex, values = [simplex[i] for i in order], [values[i] for i in order]
        middle = [sum(s[j] for s in simplex[:-1]) / len(x) for j in range(len(x))]
        def point(a):
            return [m + a * (m - w) for m, w in zip(middle, simplex[-1])]
        reflected = point(1)
        value = loss(reflected)
        if value < values[0]:
            further = point(2)
            other = loss(further)
            simplex[-1], values[-1] = (further, other) if other < value else (reflected, value)
        elif value < values[-2]:
            simplex[-1], values[-1] = reflected, value
        else:
            nearer = point(-0.5)
            other = loss(nearer)
            if other < values[-1]:
                simplex[-1], values[-1] = nearer, other
            else:
                simplex = [simplex[0]] + [[(a + b) / 2 for a, b in zip(s, simplex[0])] for s in simplex[1:]]
                values = [values[0]] + [loss(s) for s in simplex[1:]]
    return simplex[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("aic", "layers"))
    parser.add_argument("path")
    parser.add_argument("--peak", type=float, required=True, help="FLOP/s")
    parser.add_argument("--bandwidth", type=float, required=True, help="bytes/s")
    options = parser.parse_args()
    rows = aic_rows(options.path) if options.what == "aic" else layer_rows(options.path)
    fitted = [r for i, r in enumerate(rows) if i % 4]
    held_out = rows[::4]

    def loss(x):
        if not (0 <= x[0] < 50 and 0.1 < x[1] <= 1 and 0.1 < x[2] <= 1 and 1 <= x[3] < 20):
            return 10.0
        return statistics.fmean(errors([x[0] * 1e-6] + x[1:], fitted, options.peak, options.bandwidth))

    x = nelder_mead(loss, [3.0, 0.8, 0.85, 2.4], [2.0, 0.1, 0.1, 0.6], 160)
    error = sorted(errors([x[0] * 1e-6] + x[1:], held_out, options.peak, options.bandwidth))
    print(f"launch {x[0]:.2f} us, compute_efficiency {x[1]:.3f}, memory_efficiency {x[2]:.3f}, sharpness {x[3]:.2f}")
    print(f"{len(fitted)} rows fitted; {len(held_out)} held out: median error {statistics.median(error):.1%}, p80 {error[int(0.8 * len(error))]:.1%}")


if __name__ == "__main__":
    main()
