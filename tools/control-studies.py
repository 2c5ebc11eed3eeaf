#!/usr/bin/env python3
"""Reference studies of control: results/phase-lock-h200, row-cap-30-percent and sleep-break-even (.csv, .md, .svg).

    tools/control-studies.py build/release/joulecast [phase-lock|row-cap|sleep ...]

Runs the shipped scenarios with other settings and writes tables and plots. Needs matplotlib.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results"
plt.rcParams.update({"svg.hashsalt": "joulecast", "figure.figsize": (7, 4), "axes.grid": True, "grid.alpha": 0.3})


def run(program, scenario, sets):
    """The summary of a run."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "run"
        command = [program, "run", str(ROOT / "scenarios" / scenario), "--out", str(out)]
        for each in sets:
            command += ["--set", each]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return json.loads((out / "summary.json").read_text())


def write(name, head, rows, text):
    with open(RESULTS / f"{name}.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(head)
        table.writerows(rows)
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    (RESULTS / f"{name}.md").write_text(text.replace("TABLE", "\n".join(lines)))


def save(figure, name):
    figure.tight_layout()
    figure.savefig(RESULTS / f"{name}.svg", metadata={"Date": None})
    plt.close(figure)


def percent(now, before):
    return f"{100 * (now / before - 1):+.1f}"


def phase_lock(program):
    """J/token, TPOT and TTFT over the decode lock, the prompt lock left at the highest clock or moved with it."""
    def figures(sets):
        summary = run(program, "phase-lock.toml", ["pool.chat.replicas=2"] + sets)
        traffic = summary["traffic"]["chat"]
        return (summary["energy_per_output_token_joules"]["gpu"], traffic["tpot_s"]["mean"], traffic["ttft_s"]["mean"], traffic["ttft_s"]["p99"],
                traffic["slo_attainment"])

    base = figures(['pool.chat.sm_clock="auto"'])
    rows, curves = [], {"decode alone": [], "both": []}
    for label in curves:
        for clock in (1980, 1800, 1650, 1500, 1350, 1200, 1050, 900):
            prompt = 1980 if label == "decode alone" else clock
            got = figures([f'pool.chat.sm_clock={{prefill="{prompt} MHz",decode="{clock} MHz"}}'])
            rows.append((label, prompt, clock, f"{got[0]:.4f}", percent(got[0], base[0]), percent(got[1], base[1]), percent(got[2], base[2]),
                         percent(got[3], base[3]), f"{100 * got[4]:.2f}"))
            curves[label].append((clock, 100 * (1 - got[0] / base[0]), 100 * (got[1] / base[1] - 1)))
    chosen = figures([])
    rows.append(("chosen by phase_lock", "", "", f"{chosen[0]:.4f}", percent(chosen[0], base[0]), percent(chosen[1], base[1]),
                 percent(chosen[2], base[2]), percent(chosen[3], base[3]), f"{100 * chosen[4]:.2f}"))
    head = ("locked", "prompt MHz", "decode MHz", "J/token", "J/token %", "TPOT %", "TTFT %", "TTFT p99 %", "within SLO %")
    two = ", ".join(f"{saved:.0f} % at {slower:.1f} %" for clock, saved, slower in curves["decode alone"] if clock in (1650, 1500))
    write("phase-lock-h200", head, rows, PHASE_LOCK.replace("TWO_LOCKS", two))
    figure, axes = plt.subplots()
    for label, points in curves.items():
        axes.plot([p[2] for p in points], [p[1] for p in points], "o-", label=label)
        for clock, saved, slower in points:
            axes.annotate(str(clock), (slower, saved), fontsize=7, textcoords="offset points", xytext=(3, 3))
    axes.set(xlabel="TPOT longer by, %", ylabel="GPU J/token saved, %", title="Locks on H200, Llama-3.1-70B, TP 4 (clock curve modelled)")
    axes.legend()
    save(figure, "phase-lock-h200")


def row_cap(program):
    """A row of which ten nodes draw 77 % at their peak, with ten, and with thirteen nodes that are left alone or held."""
    rows, bars, seen = [], [], {}
    for nodes, policy in ((10, ""), (13, ""), (13, "polca")):
        sets = [f"cluster.h100.nodes={nodes}", f"pool.chat.replicas={nodes}", f"pool.batch.replicas={nodes}", 'time.duration="30 min"', 'time.warmup="5 min"',
                f'traffic.chat.request_rate="{CHAT_RATE * nodes:g} /s"', f'traffic.batch.request_rate="{BATCH_RATE * nodes:g} /s"',
                f'feed.row.policy="{policy}"']
        summary = run(program, "row-cap.toml", sets)
        feed = summary["feed"]["row"]
        chat, batch = summary["traffic"]["chat"], summary["traffic"]["batch"]
        usable, peak = feed["usable_watts"], summary["power_watts"]["it"]["peak_1s"]
        tokens = chat["output_tokens"] + batch["output_tokens"]
        rows.append((nodes, policy or "none", f"{usable / 1e3:.0f}", f"{feed['mean_watts'] / 1e3:.1f}", f"{peak / 1e3:.1f}", f"{100 * peak / usable:.1f}",
                     tokens, f"{chat['tpot_s']['p50'] * 1e3:.1f}", f"{chat['e2e_s']['p50']:.2f}", f"{chat['e2e_s']['p99']:.2f}",
                     f"{batch['e2e_s']['p50']:.2f}", f"{batch['e2e_s']['p99']:.2f}"))
        seen[nodes, policy] = (100 * peak / usable, chat["e2e_s"]["p50"], batch["e2e_s"]["p50"], tokens)
        bars.append((f"{nodes} nodes, {policy or 'no policy'}", 100 * feed["mean_watts"] / usable, 100 * peak / usable))
    head = ("nodes", "policy", "usable kW", "mean kW", "peak 1 s kW", "peak %", "output tokens", "chat TPOT p50 ms", "chat E2E p50 s", "chat E2E p99 s",
            "batch E2E p50 s", "batch E2E p99 s")
    alone, held = seen[13, ""], seen[13, "polca"]
    ours = (f"with the locks the peak is {held[0]:.1f} % of the feeder instead of {alone[0]:.1f}, the time of chat's median answer changes by "
            f"{percent(held[1], alone[1])} %, of batch work's by {percent(held[2], alone[2])} %, and output tokens by {percent(held[3], alone[3])} %.")
    write("row-cap-30-percent", head, rows, ROW_CAP.replace("OURS", ours))
    figure, axes = plt.subplots()
    places = range(len(bars))
    axes.bar([p - 0.2 for p in places], [b[1] for b in bars], 0.4, label="mean")
    axes.bar([p + 0.2 for p in places], [b[2] for b in bars], 0.4, label="peak of 1 s")
    axes.axhline(100, color="black", linewidth=1)
    for threshold in (80, 89):
        axes.axhline(threshold, color="gray", linewidth=1, linestyle="--")
    axes.set(ylabel="share of the usable watts, %", title="A row of which ten nodes draw 77 % at their peak")
    axes.set_xticks(list(places), [b[0] for b in bars])
    axes.legend(loc="lower right")
    save(figure, "row-cap-30-percent")


def sleep(program):
    """Joules saved by unloading at once, over the time between requests, by load time."""
    gaps = (30, 60, 90, 120, 180, 300, 600, 1200)
    rows, figure_data = [], {}
    for load, watts in ((30, 122), (60, 122), (60, 200), (120, 200)):
        curve = []
        for gap in gaps:
            common = [f'traffic.rare.arrivals.request_rate="{1 / gap:.9g} /s"', f'time.duration="{40 * gap} s"']
            awake = run(program, "sleep.toml", common + ['pool.rare.scaling=""'])
            asleep = run(program, "sleep.toml", common + [f'policy.doze={{use="sleep",load_time="{load} s",load_power="{watts} W",after="0 s"}}'])
            saved = awake["pool"]["rare"]["energy_joules"]["gpu"] - asleep["pool"]["rare"]["energy_joules"]["gpu"]
            curve.append((gap, saved / (40 * gap)))
        even = next((a[0] + (b[0] - a[0]) * -a[1] / (b[1] - a[1]) for a, b in zip(curve, curve[1:]) if a[1] < 0 <= b[1]), None)
        closed = load * (watts - 70) / (122 - 70)
        rows.append((load, watts, *(f"{saved:+.1f}" for _, saved in curve), f"{even:.0f}" if even else "below 30", f"{closed:.0f}"))
        figure_data[f"{load} s at {watts} W"] = curve
    head = ("load s", "load W", *(f"{gap} s" for gap in gaps), "pays from s", "closed form s")
    write("sleep-break-even", head, rows, SLEEP)
    figure, axes = plt.subplots()
    for label, curve in figure_data.items():
        axes.plot([p[0] for p in curve], [p[1] for p in curve], "o-", label=f"load {label}")
    axes.axhline(0, color="black", linewidth=1)
    axes.set(xscale="log", xlabel="time between requests, s", ylabel="mean W saved a GPU", title="Unloading an idle 8B model on H100 at once")
    axes.legend()
    save(figure, "sleep-break-even")


CHAT_RATE, BATCH_RATE = 2.0, 2.6  # requests a second and node

PHASE_LOCK = """# One lock for prompts, one for decode, on H200

`tools/control-studies.py build/release/joulecast phase-lock` runs `scenarios/phase-lock.toml` (Llama-3.1-70B, two replicas of TP 4 on one HGX H200, Azure's conversations
of 2023 at 5.53 /s, vLLM 0.19's rules) with other locks. Percentages are against `sm_clock = "auto"`, 1980 MHz.

![J/token saved against TPOT](phase-lock-h200.svg)

TABLE

How sure: H200's clock curve has not been measured. Time follows A100's form with a core-side share of 0.45 for memory-bound work, watts a core-dynamic share of 0.45 and
A100's knee (0.77 of the highest clock); all three are `modelled` in `hardware_profiles/gpus/h200-sxm.toml`, and so every saving here is modelled. A change of clock takes 6 ms to act, so
that a short prompt step between decode steps runs at the decode clock. TPOT grows by more than a step does: slower steps gather larger batches, and prompts between decode steps slow
down too; `phase_lock` bounds a profiled step's slowdown by 5 %. Published savings are 15-35 % at 5 % slowdown; here TWO_LOCKS.
"""

ROW_CAP = """# Thirty per cent more servers on a row's feeder

`tools/control-studies.py build/release/joulecast row-cap` runs `scenarios/row-cap.toml`: a feeder of 80 kW, of which ten DGX H100 draw 77 % at their peak, with ten nodes, with
thirteen, and with thirteen held by `row_cap`: two thresholds at 80 and 89 % of the usable watts, low priority first, in the manner of POLCA (Patel et al., arXiv 2308.12908, there on
A100). Traffic grows with the nodes; half of the replicas serve chat (high priority), half batch work (low). 30 min, the first 5 left out.

![share of the usable watts](row-cap-30-percent.svg)

TABLE

POLCA's claim: 30 % more servers in the same row with minimal loss of performance, because inference rarely draws what its nameplate says; its rows peak at about 80 % of what was provisioned.
Ours, on this traffic: OURS
What differs: H100 instead of A100, vLLM's continuous batching with both phases in one step, our clock curves (modelled on H100), and a
row in which all replicas are steadily loaded.
"""

SLEEP = """# When unloading an idle model pays

`tools/control-studies.py build/release/joulecast sleep` runs `scenarios/sleep.toml`, one replica of Llama-3.1-8B on one H100 that is asked at regular times, once with its model always loaded and once unloaded as
soon as it has nothing to do. The table holds the mean GPU watts saved over forty requests, by the time between two of them; then the time from which unloading pays, read off by linear
interpolation, and by the closed form load_time x (P_load - P_bare)/(P_context - P_bare) with the H100's 70 W bare and 122 W with a context.

![mean watts saved](sleep-break-even.svg)

TABLE

Published: unloading an idle model pays after 1 to 5 minutes at 26 to 66 W of difference between an idle GPU with and without a model. Here the difference is 52 W; load times and watts are the scenario's.
The first request finds the model loaded or not as the run begins; each later one waits for the load, which shows in TTFT.
"""

STUDIES = {"phase-lock": phase_lock, "row-cap": row_cap, "sleep": sleep}

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for study in sys.argv[2:] or list(STUDIES):
        STUDIES[study](sys.argv[1])
