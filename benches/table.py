#!/usr/bin/env python3
"""Makes the table of benches/README.md: kashi beside its peers, in turn, and what a whole audit costs.

    python3 benches/table.py --data /tmp/bench                          # everything that is installed
    python3 benches/table.py --data /tmp/bench --only xlsx --runs 1     # bill, polars, usage, xlsx, focus, month

Files that are not in the folder are generated there first. Every contest ends with a comparison of the results and
exit code 1 where they differ. `--focus-converter venv/bin/focus-converter` adds its contests (see
peers/focus_converter.py), `--samples DIR` its own sample files, where they are at hand.
"""

import argparse
import contextlib
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from peers import focus_converter as focus  # noqa: E402
from run import by_hour, compare, rows_of, run, sums  # noqa: E402


@dataclass
class Row:
    """One line of the table: medians of kashi and of its peer, and what is asked for."""

    work: str
    peer: str
    ours: tuple
    theirs: tuple
    target: str
    equal: str

    def __str__(self):
        cpu, wall = (theirs / ours for ours, theirs in zip(self.ours[:2], self.theirs[:2]))
        ours, theirs = ("{:.2f} | {:.2f} | {:,.0f}".format(*cost) for cost in (self.ours, self.theirs))
        return f"| {self.work} | {self.peer} | {ours} | {theirs} | {cpu:.1f} | {wall:.1f} | {self.target} | {self.equal} |"


HEADER = """
| work | peer | kashi CPU s | wall s | peak MB | peer CPU s | wall s | peak MB | CPU ratio | wall ratio | target | result |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---|"""


def turns(commands, runs, before=lambda: None):
    """Lets both run alternately; gives for each the medians of CPU, wall and peak memory, and where it printed."""
    costs = defaultdict(list)
    for _ in range(runs):
        for engine, (command, output) in commands.items():
            before()
            costs[engine].append(run(command, output))
    return [tuple(median(getattr(cost, field) for cost in taken) for field in ("cpu", "wall", "peak_mb")) for taken in costs.values()]


def contest(args, work, peer, script, file, target, runs=None):
    """kashi's ledger and totals of a bill against a script that prints the same totals."""
    outputs = [args.data / f"totals.{engine}.csv" for engine in ("kashi", peer)]
    commands = {"kashi": ([args.kashi, "ledger", file, "--totals"], outputs[0]), peer: ([sys.executable, *script, file], outputs[1])}
    costs = turns(commands, runs or args.runs)
    ours, theirs = map(sums, outputs)
    if ours != theirs:
        sys.exit(f"{work}: the totals differ\nkashi: {ours}\n{peer}: {theirs}")
    return Row(work, peer, *costs, target, f"{len(ours)} totals, equal to the last digit")


def made(args, file, *command):
    """A file of the data folder, generated where it is missing."""
    path = args.data / file
    if not path.exists():
        subprocess.run([sys.executable, HERE / command[0], *map(str, command[1:]), "--out", args.data], stdout=sys.stderr, check=True)
    return path


def bill(args):
    file = made(args, "bill.csv", "generate.py", "bill", "--rows", args.rows)
    yield contest(args, f"{rows_of(file):,} Alibaba rows → ledger and totals", "DuckDB", [HERE / "duck.py", "bill"], file, "3.5 CPU and wall")


def polars(args):
    file = made(args, "bill.csv", "generate.py", "bill", "--rows", args.rows)
    yield contest(args, f"{rows_of(file):,} Alibaba rows → ledger and totals", "polars", [HERE / "peers/polars_bill.py"], file, "2 CPU")


def xlsx(args):
    file = made(args, "bill.xlsx", "xlsx.py", "--rows", args.sheet_rows)
    work = f"{args.sheet_rows:,} × 25 XLSX → ledger and totals"
    yield contest(args, work, "openpyxl", [HERE / "peers/openpyxl_bill.py"], file, "15 CPU", runs=1)


def usage(args):
    """Against what counts samples, and against what does as kashi does."""
    file = made(args, "usage.csv", "generate.py", "usage", "--rows", args.samples_rows)
    work = f"{rows_of(file):,} nvidia-smi samples → hours"
    yield hours(args, file, f"{work}, time-weighted", "DuckDB, the same", "weighted", "8 CPU")
    yield hours(args, file, work, "DuckDB, one second a sample", "usage", "8 CPU")


def hours(args, file, work, peer, script, target):
    out = {engine: args.data / f"hours.{engine}.csv" for engine in ("kashi", "DuckDB")}
    commands = {
        "kashi": ([args.kashi, "usage", file, "--usage-zone", "+08:00", "-o", out["kashi"]], args.data / "usage.kashi.txt"),
        "DuckDB": ([sys.executable, HERE / "duck.py", script, file, out["DuckDB"]], args.data / "usage.DuckDB.txt"),
    }
    costs = turns(commands, args.runs)
    ours, theirs = (by_hour(out[engine]) for engine in commands)
    with contextlib.redirect_stdout(sys.stderr):
        compare(ours, theirs)
    return Row(work, peer, *costs, target, f"{len(ours):,} hours, equal")


def converted(args):
    """Its own samples where they are at hand, and longer files in their layout."""
    if not args.focus_converter:
        print("focus: left out, --focus-converter names no program", file=sys.stderr)
        return
    for name, case in focus.CASES.items():
        files = [args.samples / case.sample] if args.samples else []
        long = args.data / f"focus-{name}.csv"
        if not long.exists():
            focus.repeated(case, args.focus_rows, long)
        for file in (*files, long):
            yield conversion(args, name, case, file)


def conversion(args, name, case, file):
    out, output = args.data / "focus", args.data / "focus.kashi.csv"

    def emptied():
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()

    commands = {"kashi": ([args.kashi, "ledger", file, "--totals"], output),
                "focus": (focus.command(args.focus_converter, case, file, out), args.data / "focus.txt")}
    costs = turns(commands, args.runs, emptied)
    ours = defaultdict(Decimal)
    for (currency, _), (_, cost) in sums(output).items():
        ours[currency] += cost
    rows, theirs = focus.totals(case, out)
    close = ours.keys() == theirs.keys() and all(abs(ours[c] - theirs[c]) <= abs(ours[c]) / 10**9 for c in ours)
    result = "totals equal to 9 digits" if close else "; ".join(
        f"it comes to {theirs.get(c, 0)} {c}, the bill to {ours.get(c, 0)}" for c in sorted(ours | theirs))
    whose = "sample" if args.samples in file.parents else "generated"
    return Row(f"{name}, {whose}, {rows:,} rows, {file.stat().st_size / 1e6:,.1f} MB", "focus-converter", *costs, "100 wall (its samples)", result)


def month(args):
    """The audit of a month, all rules, all reports."""
    if not (args.data / "month/kashi.toml").exists():
        subprocess.run([sys.executable, HERE / "month.py", "--out", args.data / "month"], stdout=sys.stderr, check=True)
    command = [args.kashi, "audit", args.data / "month", "--out", args.data / "report"]
    (cost,) = turns({"kashi": (command, args.data / "month.txt")}, args.runs)
    print("\n| work | CPU s | wall s | peak MB | target |\n|---|---:|---:|---:|---|")
    print("| audit of a month: 100,000 lines, 100 cards, 4,320,000 samples, all rules, all reports "
          "| {:.2f} | {:.2f} | {:,.0f} | under 2 s of CPU |".format(*cost), flush=True)
    return ()


def main():
    contests = {"bill": bill, "polars": polars, "usage": usage, "xlsx": xlsx, "focus": converted, "month": month}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of the generated files")
    parser.add_argument("--only", nargs="+", choices=contests, default=list(contests), help="some of the contests")
    parser.add_argument("--kashi", type=Path, default=HERE.parent / "target/debug/kashi", help="the program")
    parser.add_argument("--runs", type=int, default=3, help="of each, in turn (openpyxl runs once)")
    parser.add_argument("--rows", type=int, default=5_000_000, help="of the bill, if it is generated")
    parser.add_argument("--samples-rows", type=int, default=20_000_000, help="of the utilization log, if it is generated")
    parser.add_argument("--sheet-rows", type=int, default=300_000, help="of the workbook, if it is generated")
    parser.add_argument("--focus-rows", type=int, default=1_000, help="of the generated CUR, Azure and OCI files")
    parser.add_argument("--focus-converter", type=Path, metavar="PROGRAM")
    parser.add_argument("--samples", type=Path, metavar="DIR", help="folder with aws/, azure/ and oci/ of focus-converter's tests")
    args = parser.parse_args()
    args.data.mkdir(parents=True, exist_ok=True)
    print(HEADER, flush=True)
    for what in args.only:
        for row in contests[what](args):
            print(row, flush=True)


if __name__ == "__main__":
    main()
