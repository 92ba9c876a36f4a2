//! Public samples of layouts, mapped without what their vendors' platforms teach.

use std::fmt::Write as _;
use std::path::Path;

use kashi::commands;
use kashi_parsers::layout::map::{Answers, Vocabulary, propose};

/// What the public samples of layouts must be mapped to, by what their vendors document.
const SAMPLES: &[(&str, &[(&str, &[&str])])] = &[
    (
        "azure/finops-toolkit_EA_ActualCost_Small.csv",
        &[
            ("cost", &["Cost"]),
            ("start", &["Date"]),
            ("period", &["BillingPeriodStartDate"]),
            ("account", &["BillingAccountId"]),
            ("resource", &["ResourceId"]),
            ("region", &["ResourceLocation", "MeterRegion"]),
            ("sku", &["MeterName", "Product", "MeterCategory", "MeterSubCategory"]),
            ("kind", &["ChargeType"]),
            ("quantity", &["Quantity"]),
            ("unit", &["UnitOfMeasure"]),
            ("currency", &["BillingCurrency"]),
        ],
    ),
    (
        "azure/focus_converters_sample-anonymous-ea-export-dataset.csv",
        &[
            ("cost", &["CostInBillingCurrency"]),
            ("start", &["Date"]),
            ("period", &["BillingPeriodStartDate"]),
            ("account", &["BillingAccountId"]),
            ("resource", &["ResourceId"]),
            ("region", &["ResourceLocation", "MeterRegion"]),
            ("sku", &["MeterName", "ProductName", "MeterCategory", "MeterSubCategory"]),
            ("kind", &["ChargeType"]),
            ("quantity", &["Quantity"]),
            ("unit", &["UnitOfMeasure"]),
            ("currency", &["BillingCurrencyCode"]),
        ],
    ),
    (
        "gcp/koku_202011_gcp_export.csv",
        &[
            ("cost", &["cost"]),
            ("start", &["usage_start_time"]),
            ("end", &["usage_end_time"]),
            ("period", &["invoice.month"]),
            ("account", &["billing_account_id"]),
            ("project", &["project.name", "project.id"]),
            ("sku", &["sku.description"]),
            ("kind", &["cost_type"]),
            ("quantity", &["usage.amount", "usage.amount_in_pricing_units"]),
            ("unit", &["usage.unit", "usage.pricing_unit"]),
            ("region", &["location.region", "location.location"]),
            ("currency", &["currency"]),
        ],
    ),
    (
        "oci/focus_converters_reports_cost-csv_0000000030000269.csv",
        &[
            ("cost", &["cost/myCost"]),
            ("start", &["lineItem/intervalUsageStart"]),
            ("end", &["lineItem/intervalUsageEnd"]),
            ("account", &["lineItem/tenantId"]),
            ("project", &["product/compartmentName", "product/compartmentId"]),
            ("sku", &["product/Description", "cost/productSku", "product/service"]),
            ("resource", &["product/resourceId"]),
            ("region", &["product/region"]),
            ("quantity", &["usage/billedQuantity"]),
            ("unit", &["cost/skuUnitDescription", "cost/billingUnitReadable"]),
            ("price", &["cost/unitPrice"]),
            ("currency", &["cost/currencyCode"]),
        ],
    ),
    (
        "digitalocean/do_api_doc_example.csv",
        &[
            ("cost", &["USD"]),
            ("start", &["start"]),
            ("end", &["end"]),
            ("sku", &["product", "description"]),
            ("quantity", &["hours"]),
        ],
    ),
];

#[test]
fn public_samples_of_no_layout_are_mapped() {
    let folder = Path::new("../shared/samples/bills");
    if !folder.is_dir() {
        return;
    }
    // None of these vendors teaches anything here, whether a layout of theirs is shipped or not.
    let platforms = commands::platforms(&[]).unwrap();
    let vendors = ["azure", "gcp", "google", "oci", "oracle", "digitalocean"];
    let vocabulary = Vocabulary::learn(&platforms, &vendors);
    let (mut right, mut all, mut wrong) = (0, 0, String::new());
    for (file, columns) in SAMPLES {
        let path = folder.join(file);
        let table = kashi_parsers::open::open(&path, file).unwrap().remove(0);
        let proposal = propose(std::slice::from_ref(&table), &vocabulary, &Answers::default()).unwrap();
        for (ledger, expected) in *columns {
            let found = proposal.guess(ledger).and_then(|g| g.columns().next()).unwrap_or("-");
            all += 1;
            if expected.contains(&found) {
                right += 1;
            } else {
                let _ = writeln!(wrong, "{file}: {ledger}: {found}, expected {expected:?}");
            }
        }
    }
    eprintln!("{right} of {all} right\n{wrong}");
    assert!(right * 100 >= all * 85, "{right} of {all}\n{wrong}");
}
