//! Panics that the workbook opener turns into errors do not end a run; all others do.

use kashi_parsers::open::CAUGHT;

/// Takes the place of the hook that ends the run at every panic.
pub(crate) fn hook() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        // The libraries say so of damaged workbooks and Parquet; their openers catch it.
        if !panic.location().is_some_and(|at| CAUGHT.iter().any(|library| at.file().contains(library))) {
            usual(panic);
        }
    }));
}
