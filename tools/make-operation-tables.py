#!/usr/bin/env python3
"""Thins published operation latencies to the knots that interpolation needs: hardware_profiles/tables/<gpu>.toml.

Reads the vLLM tables of ai-dynamo/aiconfigurator (Apache-2.0) from DATA/ops/aiconfigurator: context and generation attention in bf16 with head size
128 and no window, and vLLM's custom all-reduce, whose message_size counts elements of 2 bytes. Knots are dropped one by one, the one that costs
least first, as long as interpolation at every dropped point of a curve stays within BOUND. Points that were measured twice count with their mean.
Each file states its source, its licence and the error at the points it leaves out.

  tools/make-operation-tables.py DATA hardware_profiles/tables [GPU...]
"""

import argparse
import collections
import csv
import gzip
import math
import os
import statistics

BOUND = 0.03
HEAD_SIZE = "128"
SPIKE = 1.5  # a point this much above both neighbours is a disturbed measurement

# Query and key heads on one GPU of Llama-2-7B (32/32), Llama-2-13B (40/40), Llama-3.1-8B (32/8), 70B (64/8), 405B (128/8) and Llama-3.2-3B
# (24/8) at tensor parallelism 1, 2, 4, 8, as far as they were measured.
HEADS = [(4, 1), (4, 4), (5, 5), (8, 1), (8, 2), (8, 8), (10, 10), (12, 4), (16, 1), (16, 2), (16, 4), (16, 16), (24, 8), (32, 4), (32, 8), (32, 32),
         (40, 40), (64, 8)]

# File: the GPU's name, the tables' prefix, the vLLM versions of the attention and of the all-reduce tables.
GPUS = {
    "a100-sxm": ("A100 SXM", "a100_sxm", "0.14.0", "0.14.0"),
    "b200-sxm": ("B200 SXM", "b200_sxm", "0.22.0", "0.24.0"),
    "gb200": ("GB200", "gb200", "0.22.0", "0.24.0"),
    "h100-sxm": ("H100 SXM", "h100_sxm", "0.24.0", "0.24.0"),
    "h200-sxm": ("H200 SXM", "h200_sxm", "0.22.0", "0.24.0"),
    "l40s": ("L40S", "l40s", "0.24.0", "0.22.0"),
}


def linear(x0, y0, x1, y1, x):
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def logarithmic(x0, y0, x1, y1, x):
    return y0 * math.exp(math.log(y1 / y0) * math.log(x / x0) / math.log(x1 / x0))


def thin(points, between, bound):
    """Greedy thinning of [(x, y)]: the kept points and the relative errors at the dropped ones."""
    kept = list(range(len(points)))

    def errors(left, right):
        (x0, y0), (x1, y1) = points[left], points[right]
        return [abs(between(x0, y0, x1, y1, points[i][0]) / points[i][1] - 1) for i in range(left + 1, right)]

    while len(kept) > 2:
        cost, at = min((max(errors(kept[i - 1], kept[i + 1])), i) for i in range(1, len(kept) - 1))
        if cost > bound:
            break
        del kept[at]
    dropped = [e for left, right in zip(kept, kept[1:]) for e in errors(left, right)]
    return [points[i] for i in kept], dropped


def read_csv(path):
    with gzip.open(path, "rt", newline="") as stream:
        yield from csv.DictReader(stream)


def plain_bf16(row):
    return (row["head_dim"] == HEAD_SIZE and row["attn_dtype"] == "bfloat16" and row["kv_cache_dtype"] == "bfloat16"
            and row.get("window_size", "0") == "0" and row["beam_width"] == "1")


def numbers(values):
    return "[" + ", ".join(f"{v:.4g}" if v < 1e4 else f"{v:.0f}" for v in values) + "]"


def whole(values):
    return "[" + ", ".join(str(v) for v in values) + "]"


class File:
    def __init__(self):
        self.lines, self.dropped, self.measured, self.between_rows, self.spikes = [], [], 0, [], 0

    def curve(self, points, between):
        points = sorted(points)
        clean = [p for i, p in enumerate(points)
                 if not (0 < i < len(points) - 1 and p[1] > SPIKE * points[i - 1][1] and p[1] > SPIKE * points[i + 1][1])]
        self.spikes += len(points) - len(clean)
        self.measured += len(points)
        kept, dropped = thin(clean, between, BOUND)
        self.dropped += dropped
        return kept

    def generation(self, heads, kv_heads, table):
        rows = sorted(table)
        curves = [self.curve(table[row].items(), linear) for row in rows]
        for low, row, high in zip(rows, rows[1:], rows[2:]):
            for x in set(table[low]) & set(table[row]) & set(table[high]):
                self.between_rows.append(abs(linear(low, table[low][x], high, table[high][x], row) / table[row][x] - 1))
        self.lines += ["", f"[generation_attention.h{heads}_kv{kv_heads}]", f"heads = {heads}", f"kv_heads = {kv_heads}",
                       f"sequences = {whole(rows)}", "context = ["]
        self.lines += ["  " + whole(x for x, _ in curve) + "," for curve in curves]
        self.lines += ["]", "us = ["]
        self.lines += ["  " + numbers(y for _, y in curve) + "," for curve in curves]
        self.lines += ["]"]

    def context(self, heads, kv_heads, points):
        curve = self.curve(points.items(), logarithmic)
        self.lines += ["", f"[context_attention.h{heads}_kv{kv_heads}]", f"heads = {heads}", f"kv_heads = {kv_heads}",
                       f"tokens = {whole(x for x, _ in curve)}", f"us = {numbers(y for _, y in curve)}"]

    def all_reduce(self, gpus, backends):
        self.lines += ["", f"[all_reduce.gpus_{gpus}]", f"gpus = {gpus}"]
        for backend in ("graph", "eager"):
            curve = self.curve(backends[backend].items(), logarithmic)
            self.lines += [f"{backend}_bytes = {whole(x for x, _ in curve)}", f"{backend}_us = {numbers(y for _, y in curve)}"]


def make(data, key, out):
    name, prefix, version, reduce_version = GPUS[key]
    stem = os.path.join(data, "ops", "aiconfigurator", prefix)
    generation = collections.defaultdict(lambda: collections.defaultdict(dict))
    for row in filter(plain_bf16, read_csv(f"{stem}_attention_vllm_{version}_generation_attention_perf.csv.gz")):
        # `step` tokens stand in KV before the one that is computed; attention reads that one too.
        heads = int(row["num_heads"]), int(row["num_key_value_heads"])
        generation[heads][int(row["batch_size"])][int(row["step"]) + 1] = 1e3 * float(row["latency"])
    repeated = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in filter(plain_bf16, read_csv(f"{stem}_attention_vllm_{version}_context_attention_perf.csv.gz")):
        if row["batch_size"] == "1" and row["step"] == "0":
            repeated[int(row["num_heads"]), int(row["num_key_value_heads"])][int(row["isl"])].append(1e3 * float(row["latency"]))
    context = {heads: {tokens: statistics.mean(times) for tokens, times in points.items()} for heads, points in repeated.items()}
    reduce = collections.defaultdict(lambda: collections.defaultdict(dict))
    for row in read_csv(f"{stem}_comm_vllm_{reduce_version}_custom_allreduce_perf.csv.gz"):
        reduce[int(row["num_gpus"])][row["backend"].removeprefix("vllm_")][2 * int(row["message_size"])] = 1e3 * float(row["latency"])

    also = "" if reduce_version == version else f", all-reduce {reduce_version}"
    file = File()
    for heads in HEADS:
        if heads in generation:
            file.generation(*heads, generation[heads])
    for heads in HEADS:
        if heads in context:
            file.context(*heads, context[heads])
    for gpus in sorted(reduce):
        file.all_reduce(gpus, reduce[gpus])
    header = [
        "# Made by tools/make-operation-tables.py; microseconds of one layer on one GPU, contexts and tokens in tokens, messages in bytes.",
        "[table]",
        f'gpu = "{name}"',
        f'source = "ai-dynamo/aiconfigurator, vLLM {version}{also}: bf16, head size 128, no window; {file.measured} measured points thinned"',
        'licence = "Apache-2.0"',
        f"bound = {BOUND}",
        f"measured_points = {file.measured}",
        f"dropped_points = {len(file.dropped)}",
        f"spikes_left_out = {file.spikes}  # above {SPIKE} times both neighbours",
        f"median_error = {statistics.median(file.dropped):.4f}  # of interpolation at the dropped points",
        f"worst_error = {max(file.dropped):.4f}",
        f"between_sequences_median_error = {statistics.median(file.between_rows):.4f}"
        "  # of a row of sequences left out, linear between its neighbours",
    ]
    path = os.path.join(out, key + ".toml")
    with open(path, "w", newline="\n") as stream:
        stream.write("\n".join(header + file.lines) + "\n")
    print(f"{path}: {file.measured} points, {file.measured - len(file.dropped) - file.spikes} knots, median {statistics.median(file.dropped):.2%}, "
          f"worst {max(file.dropped):.2%} at the dropped ones; between rows {statistics.median(file.between_rows):.2%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="folder of the measured data (holds ops/aiconfigurator)")
    parser.add_argument("out", help="folder to write to")
    parser.add_argument("gpus", nargs="*", help="files to make; all of them where none is named")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    for key in arguments.gpus or GPUS:
        make(arguments.data, key, arguments.out)


if __name__ == "__main__":
    main()
