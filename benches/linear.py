#!/usr/bin/env python3
"""Shows that the cost of a bill grows with its rows and with nothing else: 0.5, 5 and 50 million rows.

    python3 benches/linear.py --data /tmp/bench

The first 500,000 rows of bill.csv, without the columns that the layout leaves aside, once, ten times
and a hundred times in one file: 50 million rows of the whole bill would be 37 GB, so they are 21 GB.
Ends with exit code 1 where the totals are not ten and a hundred times the first.
"""

import argparse
import csv
import itertools
import json
import shutil
import sys
import tomllib
from pathlib import Path

from run import HERE, run, sums

ROWS = 500_000
LAYOUTS = HERE.parent / "parsers/platforms/alibaba.toml"


def narrow(bill, file):
    """Writes the first rows of a bill with the columns that are read."""
    layouts = tomllib.loads(LAYOUTS.read_text(encoding="utf-8"))["layout"]
    layout = next(layout for layout in layouts if layout["name"] == "consume-detail-v2")
    read = json.dumps(layout["columns"], ensure_ascii=False)
    aside = {name for name in layout["ignore"] if f'"{name}"' not in read}
    with open(bill, encoding="utf-8-sig", newline="") as text, open(file, "w", encoding="utf-8", newline="") as out:
        rows, writer = csv.reader(text), csv.writer(out, lineterminator="\n")
        header = next(rows)
        kept = [at for at, name in enumerate(header) if name not in aside]
        writer.writerow([header[at] for at in kept])
        for row in itertools.islice(rows, ROWS):
            writer.writerow([row[at] for at in kept])


def repeated(file, times, out):
    """Writes the rows of a bill so many times below one header."""
    # Not read as a whole: what this process holds would count as the peak of the one it starts.
    with open(file, "rb") as text, open(out, "wb") as bill:
        bill.write(text.readline())
        body = text.tell()
        for _ in range(times):
            text.seek(body)
            shutil.copyfileobj(text, bill, 1 << 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder that generate.py wrote to")
    parser.add_argument("--kashi", type=Path, default=HERE.parent / "target/debug/kashi", help="the program")
    parser.add_argument("--times", type=int, nargs="+", default=[1, 10, 100], help="how often the rows are repeated")
    args = parser.parse_args()
    once, bill, totals = (args.data / f"linear.{name}.csv" for name in ("once", "bill", "totals"))
    narrow(args.data / "bill.csv", once)
    print("| rows | GB | CPU s | CPU s per million rows | wall s | peak memory MB | bytes a row |\n|---:|---:|---:|---:|---:|---:|---:|")
    first = None
    for times in args.times:
        repeated(once, times, bill)
        cost, rows, size = run([args.kashi, "ledger", bill, "--totals"], totals), ROWS * times, bill.stat().st_size
        bill.unlink()
        print(f"| {rows:,} | {size / 1e9:.2f} | {cost.cpu:.2f} | {cost.cpu / rows * 1e6:.2f} | {cost.wall:.2f} | "
              f"{cost.peak_mb:,.0f} | {cost.peak_mb * 2**20 / rows:,.0f} |", flush=True)
        found = {key: (lines / times, amount / times) for key, (lines, amount) in sums(totals).items()}
        first = first or found
        if found != first:
            sys.exit(f"the totals are not {times} times the first")
    for file in (once, totals, Path(f"{totals}.err")):
        file.unlink()


if __name__ == "__main__":
    main()
