"""Writes fixtures/aws/cur-2-parquet-2026-09.parquet: the rows of the CSV beside it in the types of
AWS' table dictionary for CUR 2.0 (double, timestamp, map; all else string). Needs pyarrow."""

import csv
import datetime
import json
import sys

import pyarrow
from pyarrow import parquet

DOUBLES = {
    "discount_bundled_discount", "discount_total_discount", "line_item_blended_cost", "line_item_net_unblended_cost",
    "line_item_normalization_factor", "line_item_normalized_usage_amount", "line_item_unblended_cost",
    "line_item_usage_amount", "pricing_public_on_demand_cost", "reservation_amortized_upfront_cost_for_usage",
    "reservation_effective_cost", "reservation_unused_quantity", "reservation_unused_recurring_fee",
    "savings_plan_savings_plan_effective_cost", "savings_plan_total_commitment_to_date", "savings_plan_used_commitment",
}
MAPS = {"product", "resource_tags", "cost_category", "discount"}


def column(name, texts):
    if name in DOUBLES:
        return pyarrow.array([float(text) if text else None for text in texts], pyarrow.float64())
    if name in MAPS:
        of = pyarrow.float64() if name == "discount" else pyarrow.string()
        return pyarrow.array([list(json.loads(text or "{}").items()) for text in texts], pyarrow.map_(pyarrow.string(), of))
    if name.endswith("_date"):
        times = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None for text in texts]
        return pyarrow.array(times, pyarrow.timestamp("ms", tz="UTC"))
    return pyarrow.array([text or None for text in texts], pyarrow.string())


def main(source, target):
    with open(source, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    columns = {name: column(name, texts) for name, texts in zip(header, zip(*rows))}
    # Parts of 20 rows: a month of AWS has many.
    parquet.write_table(pyarrow.table(columns), target, compression="snappy", row_group_size=20)


main(*sys.argv[1:])
