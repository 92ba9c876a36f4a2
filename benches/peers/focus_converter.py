"""The files of focus-converter: its own samples, and longer ones in the same layout.

focus-converter 1.0.0 pins polars 0.20, pandas 2 and pyarrow 14, so it gets an environment of its own:

    python3.11 -m venv focus-venv
    focus-venv/bin/pip install -r benches/peers/requirements-focus.txt

It reads with polars into floats, guesses the types of the columns from the first 100 rows and drops in silence the
cells that do not fit; it writes FOCUS columns. kashi reads the same file into its exact ledger and adds it up.
"""

import csv
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


@dataclass
class Case:
    """A kind of bill that both read."""

    provider: str
    # A sample that focus-converter's tests use, in the folder of samples.
    sample: str
    fixture: str
    # Columns that focus-converter must have and the fixture does not.
    needs: tuple
    line_id: str
    # The column of its output that holds what kashi calls cost.
    cost: str


CASES = {
    "CUR": Case("aws-cur", "aws/focus_converters_sample-anonymous-aws-export-dataset.csv", "aws/cur-2026-09.csv",
                ("pricing/RateId", "reservation/TotalReservedUnits"), "identity/LineItemId", "BilledCost"),
    "Azure": Case("azure", "azure/focus_converters_sample-anonymous-ea-export-dataset.csv", "azure/ea-2026-09.csv", (), "", "BilledCost"),
    "OCI": Case("oci", "oci/focus_converters_reports_cost-csv_0000000030000269.csv", "oracle/cost-report-2026-09.csv", (),
                "lineItem/referenceNo", "EffectiveCost"),
}


def repeated(case, rows, path):
    """Writes a bill of so many rows: those of the fixture over and over, each with an id of its own."""
    with open(FIXTURES / case.fixture, encoding="utf-8-sig", newline="") as text:
        header, *known = csv.reader(text)
    known = [row for row in known if len(row) == len(header)]
    at = header.index(case.line_id) if case.line_id else None
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow([*header, *case.needs])
        for n in range(rows):
            row = [*known[n % len(known)], *("" for _ in case.needs)]
            if at is not None:
                row[at] = f"{n:032d}"
            writer.writerow(row)


def command(program, case, file, out):
    """What converts a file into the folder `out`; its export path needs the slash."""
    return [program, "convert", "--provider", case.provider, "--data-format", "csv", "--data-path", file, "--export-format", "csv",
            "--no-export-include-source-columns", "--export-path", f"{out}/"]


def totals(case, out):
    """Rows, and what the converted file adds up to, by currency: floats, as it writes them."""
    sums, rows = defaultdict(Decimal), 0
    for file in Path(out).glob("*.csv"):
        with open(file, encoding="utf-8", newline="") as text:
            for row in csv.DictReader(text):
                rows += 1
                sums[row["BillingCurrency"]] += Decimal(row[case.cost] or "0")
    return rows, dict(sums)
