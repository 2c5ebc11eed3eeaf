#!/usr/bin/env python3
"""Calibrates GEMM and host watts of the A100 SXM 80 (400 W) on splitwise-sim's perf_model.csv (Llama-2-70B; power as a fraction of 400 W, 0 = not
measured).

A run of prompt p, batch b, 128 tokens at tensor parallelism t takes prompt_time + 127*token_time and reports its mean watts. Its prompt runs at
the board's limit (the reported peak is 1.0). A token step is GEMM time by the profile's form plus host time, all-reduces counted with the host
(that engine was launch-bound):
    mean*total = limit*prompt + 127*(P_gemm(u)*t_gemm + P_host*(token - t_gemm)),   P_gemm = base + slope*sqrt(u).
The slope follows from the prompts: base + slope*sqrt(u) = limit at the u of a prompt of 2048 tokens. Base and host are least squares over the runs
with prompts of at most 2048 tokens; leaving one tensor parallelism out at a time tells the error.

  tools/calibrate-a100-watts.py DATA
"""

import csv
import math
import os
import statistics
import sys

LIMIT = 400.0
PEAK, BANDWIDTH = 312e12, 2.039e12
LAUNCH, COMPUTE, MEMORY, SHARPNESS = 8.29e-6, 0.844, 0.771, 1.72  # the profile's GEMM form
LAYERS, HIDDEN, HEADS, KV_HEADS, HEAD, FFN, VOCAB = 80, 8192, 64, 8, 128, 28672, 32000


def gemms(t, tokens, sampled):
    layer = [((HEADS + 2 * KV_HEADS) // t * HEAD, HIDDEN), (HIDDEN, HEADS // t * HEAD), (2 * FFN // t, HIDDEN), (HIDDEN, FFN // t)]
    return [(tokens, n, k, LAYERS) for n, k in layer] + [(sampled, VOCAB // t, HIDDEN, 1)]


def gemm_step(t, tokens, sampled):
    """Seconds and utilisation of the GEMMs of a step."""
    seconds = flops = 0.0
    for m, n, k, times in gemms(t, tokens, sampled):
        tc = 2.0 * m * n * k / (COMPUTE * PEAK)
        tm = 2.0 * (m * k + k * n + m * n) / (MEMORY * BANDWIDTH)
        seconds += times * (LAUNCH + (tc**SHARPNESS + tm**SHARPNESS) ** (1 / SHARPNESS))
        flops += times * 2.0 * m * n * k
    return seconds, flops / (seconds * PEAK)


def rows(path):
    groups = {}
    with open(path, newline="") as stream:
        for r in csv.DictReader(stream):
            wanted = r["model"] == "llama2-70b" and r["hardware"] == "a100-80gb" and int(r["prompt_size"]) <= 2048
            if wanted and float(r["average_power"]) > 0:
                key = (int(r["tensor_parallel"]), int(r["prompt_size"]), int(r["batch_size"]), int(r["token_size"]))
                groups.setdefault(key, []).append([float(r[c]) for c in ("average_power", "prompt_time", "token_time")])
    return {key: [statistics.fmean(column) for column in zip(*values)] for key, values in sorted(groups.items())}


def solve(equations):
    """Least squares of a*x + b*y = c."""
    aa = sum(a * a for a, b, c in equations)
    ab = sum(a * b for a, b, c in equations)
    bb = sum(b * b for a, b, c in equations)
    ac = sum(a * c for a, b, c in equations)
    bc = sum(b * c for a, b, c in equations)
    det = aa * bb - ab * ab
    return (ac * bb - bc * ab) / det, (bc * aa - ac * ab) / det


def main():
    data = rows(os.path.join(sys.argv[1], "serving", "splitwise", "perf_model.csv"))
    equations = {}
    for key, (mean, prompt_ms, token_ms) in data.items():
        t, prompt, batch, out = key
        prompt_s, token_s = prompt_ms * 1e-3, token_ms * 1e-3
        gemm_s, used = gemm_step(t, batch, batch)
        total = prompt_s + (out - 1) * token_s
        full = math.sqrt(gemm_step(t, 2048, 1)[1])
        # base + (LIMIT - base)/full*sqrt(used), so base's factor is 1 - sqrt(used)/full.
        share = math.sqrt(used) / full
        left = (mean * LIMIT * total - LIMIT * prompt_s) / ((out - 1) * token_s)
        busy = gemm_s / token_s
        equations[key] = (busy * (1 - share), 1 - busy, left - busy * share * LIMIT)
    base, host = solve(list(equations.values()))
    full = math.sqrt(gemm_step(4, 2048, 1)[1])
    print(f"gemm_base {base:.0f} W, gemm_slope {(LIMIT - base) / full:.0f} W, host {host:.0f} W ({len(equations)} runs)")
    errors = []
    for left_out in sorted({key[0] for key in equations}):
        b, h = solve([e for key, e in equations.items() if key[0] != left_out])
        for key, (x, y, c) in equations.items():
            if key[0] == left_out:
                measured = data[key][0] * LIMIT
                errors.append(abs((x * b + y * h - c) / measured))
    errors.sort()
    p80 = errors[int(0.8 * len(errors))]
    print(f"leaving one tensor parallelism out: median {statistics.median(errors):.1%}, p80 {p80:.1%}, worst {errors[-1]:.1%}")


if __name__ == "__main__":
    main()
