#!/usr/bin/env python3
"""Runs kashi and DuckDB on the generated files, in turn, and prints what each needed.

    python3 benches/run.py --data /tmp/bench

CPU seconds are those of the whole child process, user and system, start of Python included (0.2 s).
Ends with exit code 1 where the two disagree, or where a ratio asked for with --at-least is missed.
"""

import argparse
import csv
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
# kashi lets a sample stand until the next one, DuckDB counts it in the hour it was taken in: a step
# over the end of an hour moves its seconds, and rarely the maximum of that hour, to the next.
SLACK_SECONDS = 2
SLACK_MAXIMA = 0.001


@dataclass
class Cost:
    """What one run took."""

    cpu: float
    wall: float
    peak_mb: float


def run(command, output):
    """Runs a command to its end with its standard output in a file."""
    began = time.monotonic()
    with open(output, "wb") as out, open(f"{output}.err", "wb") as err:
        child = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {child.returncode}:\n{Path(f'{output}.err').read_text()[-2000:]}")
    return Cost(used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024)


def contest(name, rows, commands, outputs, runs):
    """Lets both run alternately and prints the medians; gives how many times less CPU kashi took."""
    costs = {engine: [] for engine in commands}
    for _ in range(runs):
        for engine, command in commands.items():
            costs[engine].append(run(command, outputs[engine]))
    print(f"\n{name}: {rows:,} rows, median of {runs}\n")
    print("| engine | CPU s | rows per CPU s | wall s | peak memory MB | bytes a row |\n|---|---:|---:|---:|---:|---:|")
    middle, walls = {}, {}
    for engine, taken in costs.items():
        cpu, wall, peak = (median(getattr(cost, field) for cost in taken) for field in ("cpu", "wall", "peak_mb"))
        middle[engine], walls[engine] = cpu, wall
        print(f"| {engine} | {cpu:.2f} | {rows / cpu:,.0f} | {wall:.2f} | {peak:,.0f} | {peak * 2**20 / rows:,.0f} |")
    ratio = middle["DuckDB"] / middle["kashi"]
    print(f"\nkashi takes {ratio:.2f} times less CPU than DuckDB, and {walls['DuckDB'] / walls['kashi']:.2f} times less time "
          f"on {len(os.sched_getaffinity(0))} processors.")
    return ratio


def rows_of(file):
    """Counts the records of a generated file, and so brings it into the page cache."""
    lines = inside = 0
    with open(file, "rb") as text:
        for line in text:
            lines += 1
            # An odd number of quotes opens a cell that goes on in the next line, or closes one.
            inside ^= line.count(b'"') & 1
            lines -= inside
    return lines - 1


def bill(args):
    file, outputs = args.data / "bill.csv", {e: args.data / f"totals.{e}.csv" for e in ("kashi", "DuckDB")}
    commands = {
        "kashi": [args.kashi, "ledger", file, "--totals"],
        "DuckDB": [sys.executable, HERE / "duck.py", "bill", file],
    }
    ratio = contest("Bill", rows_of(file), commands, outputs, args.runs)
    totals = {engine: sums(output) for engine, output in outputs.items()}
    if totals["kashi"] != totals["DuckDB"]:
        sys.exit("the totals differ:\n" + "\n".join(f"{engine}: {total}" for engine, total in totals.items()))
    print(f"Both give the same {len(totals['kashi'])} totals, to the last digit.")
    return ratio


def sums(file):
    with open(file, encoding="utf-8", newline="") as text:
        return {(row["currency"], row["category"]): (int(row["lines"]), Decimal(row["cost"])) for row in csv.DictReader(text)}


def usage(args):
    """Both logs, the wide and the narrow one: never only the better figure."""
    return min(roll_up(args, "usage", "Utilization"), roll_up(args, "narrow", "Utilization, five columns"))


def roll_up(args, log, name):
    file, outputs = args.data / f"{log}.csv", {e: args.data / f"{log}.{e}.txt" for e in ("kashi", "DuckDB")}
    hours = {engine: args.data / f"{log}-hours.{engine}.csv" for engine in outputs}
    commands = {
        "kashi": [args.kashi, "usage", file, "--usage-zone", "+08:00", "-o", hours["kashi"]],
        "DuckDB": [sys.executable, HERE / "duck.py", log, file, hours["DuckDB"]],
    }
    ratio = contest(name, rows_of(file), commands, outputs, args.runs)
    compare(*(by_hour(hours[engine]) for engine in ("kashi", "DuckDB")))
    return ratio


def by_hour(file):
    """The hours of a roll-up by card and hour, whatever the spelling of the time."""
    with open(file, encoding="utf-8-sig", newline="") as text:
        # A card that a log tells by its index is named after the log too.
        return {(row["device"].split("/")[-1], row["hour"][:13].replace("T", " ")): row for row in csv.DictReader(text)}


def compare(ours, theirs):
    """Holds the two roll-ups against each other, hour by hour."""
    if ours.keys() != theirs.keys():
        sys.exit(f"the hours differ: {len(ours)} and {len(theirs)}, e.g. {sorted(ours.keys() ^ theirs.keys())[:3]}")
    wrong, carried = [], 0
    for key, row in ours.items():
        for column in ("util_max", "memory_max", "memory_total", "power_max"):
            our, their = (float(side[column] or "nan") for side in (row, theirs[key]))
            if our > their:
                carried += 1
            elif our < their or (our != our) != (their != their):
                wrong.append((key, column, row[column], theirs[key][column]))
        for column in ("observed_s", "idle_s", "busy_s"):
            if abs(float(row[column]) - float(theirs[key][column])) > SLACK_SECONDS:
                wrong.append((key, column, row[column], theirs[key][column]))
        if abs(float(row["util_mean"]) - float(theirs[key]["util_mean"])) > 0.1:
            wrong.append((key, "util_mean", row["util_mean"], theirs[key]["util_mean"]))
    if wrong or carried > SLACK_MAXIMA * 4 * len(ours):
        sys.exit(f"{len(wrong)} figures differ, {carried} maxima are larger, e.g. " + "\n".join(map(str, wrong[:5])))
    total = sum(float(row["observed_s"]) for row in ours.values())
    print(f"Both give the same {len(ours):,} hours, {total:,.0f} seconds observed; {carried} maxima are of a sample that "
          "reaches into the hour.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=("bill", "usage"), help="one of the two contests")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder that generate.py wrote to")
    parser.add_argument("--kashi", type=Path, default=HERE.parent / "target/debug/kashi", help="the program")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--at-least", type=float, metavar="RATIO", help="fail where kashi is less than this many times cheaper")
    args = parser.parse_args()
    contests = {"bill": bill, "usage": usage}
    ratios = [contests[what](args) for what in contests if args.only in (None, what)]
    if args.at_least and min(ratios) < args.at_least:
        sys.exit(f"a ratio is below {args.at_least}")


if __name__ == "__main__":
    main()
