#!/usr/bin/env python3
"""Thins a published layer profile of a serving engine to the knots that interpolation needs: hardware_profiles/tables/<gpu>-<model>.toml.

Reads dense.csv, per_sequence.csv and attention.csv as published by casys-kaist/LLMServingSim (MIT). Of attention it keeps what a step is made from:
a chunk alone, decoding sequences alone, and decoding sequences beside a chunk of 16 tokens; of moe.csv everything, of skew.csv one factor a cell. Knots of a curve are dropped one by one, the one that
costs least first, as long as linear interpolation at every dropped point stays within BOUND; the file states the error at the points that it leaves
out.

  tools/make-layer-knots.py DATA/ops/vllm-layers/RTX4090/meta-llama/Llama-3.1-8B/bf16/tp1 --gpu "RTX 4090" \\
      --model meta-llama/Llama-3.1-8B --out hardware_profiles/tables/rtx-4090-llama-3.1-8b.toml
"""

import argparse
import collections
import csv
import os
import statistics

BOUND = 0.02
MIXED_CHUNK = 16
SHARES = [0.0625, 0.125, 0.25, 0.5, 0.75, 0.9]
LEAST_SHARE = 0.06
LAYERS = ["qkv_proj", "qk_norm", "rotary_emb", "o_proj", "layernorm", "gate_up_proj", "act_fn", "down_proj", "embedding", "final_layernorm"]
PER_SEQUENCE = ["lm_head", "sampler"]


def thin(points, bound):
    """Greedy thinning of [(x, y)]: the kept points and the relative errors of linear interpolation at the dropped ones."""
    kept = list(range(len(points)))

    def errors(left, right):
        (x0, y0), (x1, y1) = points[left], points[right]
        return [abs((y0 + (y1 - y0) * (points[i][0] - x0) / (x1 - x0)) / points[i][1] - 1) for i in range(left + 1, right)]

    while len(kept) > 2:
        cost, at = min((max(errors(kept[i - 1], kept[i + 1])), i) for i in range(1, len(kept) - 1))
        if cost > bound:
            break
        del kept[at]
    return [points[i] for i in kept], [e for left, right in zip(kept, kept[1:]) for e in errors(left, right)]


def read_csv(folder, name):
    with open(os.path.join(folder, name), newline="") as stream:
        yield from csv.DictReader(stream)


def whole(values):
    return "[" + ", ".join(str(v) for v in values) + "]"


def numbers(values):
    return "[" + ", ".join(f"{v:.5g}" if v < 1e5 else f"{v:.0f}" for v in values) + "]"


class File:
    def __init__(self):
        self.lines, self.dropped, self.measured = [], [], 0

    def thinned(self, points):
        self.measured += len(points)
        kept, dropped = thin(sorted(points.items()), BOUND)
        self.dropped += dropped
        return kept

    def curve(self, name, axis, points):
        kept = self.thinned(points)
        self.lines += ["", f"[{name}]", f"{axis} = {whole(x for x, _ in kept)}", f"us = {numbers(y for _, y in kept)}"]

    def surface(self, name, axis, rows, more=(), x_key="context"):
        curves = [self.thinned(rows[row]) for row in sorted(rows)]
        self.lines += ["", f"[{name}]", *more, f"{axis} = {whole(sorted(rows))}", f"{x_key} = ["]
        self.lines += ["  " + whole(x for x, _ in curve) + "," for curve in curves]
        self.lines += ["]", "us = ["]
        self.lines += ["  " + numbers(y for _, y in curve) + "," for curve in curves]
        self.lines += ["]"]


def uneven_counts(folder):
    """Whether there are batches of uneven contexts that the profile's makers let count."""
    if not os.path.exists(os.path.join(folder, "skew.csv")):
        return False
    meta = os.path.join(folder, os.pardir, "meta.yaml")
    lines = open(meta).read().splitlines() if os.path.exists(meta) else []
    at = lines.index("skew_profile:") if "skew_profile:" in lines else None
    return at is None or "false" not in lines[at + 1]


def uneven(folder):
    """alpha by (alone or beside a chunk, sequences, share of long ones): least squares of relative times, as hardware/uneven_contexts.cpp has it."""
    sums = collections.defaultdict(lambda: [0.0, 0.0])
    for row in read_csv(folder, "skew.csv"):
        share = float(row["ratio"])
        if share < LEAST_SHARE:
            continue
        near = min(SHARES, key=lambda each: abs(each - share))
        mean, longest, measured = (float(row[k]) for k in ("t_mean_us", "t_max_us", "t_skew_us"))
        cell = sums["beside_chunk" if int(row["pc"]) else "alone", int(row["n"]), near]
        cell[0] += (longest / mean - 1) * (measured / mean - 1)
        cell[1] += (longest / mean - 1) ** 2
    for key in ("alone", "beside_chunk"):
        rows = collections.defaultdict(list)
        for (kind, sequences, share), (product, square) in sorted(sums.items()):
            if kind == key and square > 0:
                rows[sequences].append((share, min(1.0, max(0.0, product / square))))
        if rows:
            yield key, rows


def make(folder, gpu, model, tensor_parallel, step_gap, out):
    dense = collections.defaultdict(dict)
    for row in read_csv(folder, "dense.csv"):
        dense[row["layer"]][int(row["tokens"])] = float(row["time_us"])
    per_sequence = collections.defaultdict(dict)
    for row in read_csv(folder, "per_sequence.csv"):
        per_sequence[row["layer"]][int(row["sequences"])] = float(row["time_us"])
    prefill, decode, mixed = (collections.defaultdict(dict) for _ in range(3))
    for row in read_csv(folder, "attention.csv"):
        chunk, context, sequences, mean = (int(row[k]) for k in ("prefill_chunk", "kv_prefill", "n_decode", "kv_decode"))
        time = float(row["time_us"])
        if chunk and not sequences:
            prefill[chunk][context] = time
        if not chunk and sequences:
            decode[sequences][mean] = time
        if chunk == MIXED_CHUNK and context == 0 and sequences:
            mixed[sequences][mean] = time

    file = File()
    for layer in LAYERS:
        if layer in dense:
            file.curve(f"dense.{layer}", "tokens", dense[layer])
    for layer in PER_SEQUENCE:
        file.curve(f"per_sequence.{layer}", "sequences", per_sequence[layer])
    file.surface("attention.prefill", "chunk", prefill)
    file.surface("attention.decode", "sequences", decode)
    file.surface("attention.mixed", "sequences", mixed,
                 [f"chunk = {MIXED_CHUNK}  # tokens of the chunk beside the decoding sequences, without context"])
    if os.path.exists(os.path.join(folder, "moe.csv")):
        experts = collections.defaultdict(dict)
        for row in read_csv(folder, "moe.csv"):
            experts[int(row["tokens"])][int(row["activated_experts"])] = float(row["time_us"])
        file.surface("experts", "tokens", experts, x_key="active")
    if uneven_counts(folder):
        for key, rows in uneven(folder):
            file.lines += ["", f"[uneven.{key}]", f"sequences = {whole(sorted(rows))}", "share = ["]
            file.lines += ["  " + numbers(x for x, _ in rows[n]) + "," for n in sorted(rows)] + ["]", "alpha = ["]
            file.lines += ["  " + numbers(y for _, y in rows[n]) + "," for n in sorted(rows)] + ["]"]
    header = [
        "# Made by tools/make-layer-knots.py; microseconds, attention and the layers of a block once a block.",
        "[table]",
        f'gpu = "{gpu}"',
        f'model = "{model}"',
        f"tensor_parallel_size = {tensor_parallel}",
        f'source = "casys-kaist/LLMServingSim, layer profile of vLLM 0.19.0, bf16, on this card; {file.measured} measured points thinned"',
        'licence = "MIT"',
        f"step_gap_us = {step_gap:g}  # host time a step that the layers do not hide, from replaying a measured run",
        f"bound = {BOUND}",
        f"measured_points = {file.measured}",
        f"dropped_points = {len(file.dropped)}",
        f"median_error = {statistics.median(file.dropped):.4f}  # of interpolation at the dropped points",
        f"worst_error = {max(file.dropped):.4f}",
    ]
    with open(out, "w", newline="\n") as stream:
        stream.write("\n".join(header + file.lines) + "\n")
    print(f"{out}: {file.measured} points, {file.measured - len(file.dropped)} knots, "
          f"median {statistics.median(file.dropped):.2%}, worst {max(file.dropped):.2%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="holds dense.csv, per_sequence.csv and attention.csv")
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tensor-parallel", type=int, default=1)
    parser.add_argument("--step-gap-us", type=float, default=0)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    make(arguments.folder, arguments.gpu, arguments.model, arguments.tensor_parallel, arguments.step_gap_us, arguments.out)


if __name__ == "__main__":
    main()
