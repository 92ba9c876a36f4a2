//! What an XLS says of its sheets, looked at before a library makes room for it.
//!
//! The library follows the chains of the file wherever they lead, makes room for as many cells as a
//! sheet says it has, and holds each as one rectangle: a file of a few kilobytes could ask for all
//! memory there is. Here the chains must end, and what a sheet asks for is held against its cells.
//!
//! It also passes over what it does not know, and stops where a record says that the sheet ends: one
//! changed bit could take half the rows away without a word. So what the file says more than once is
//! held against each other: the list of sheets and where sheets begin and end, the rows and columns
//! that a sheet states and those it has, the lengths of records, the kinds that may stand among cells,
//! their order, the number of texts. What it says but once cannot be checked, for there is no
//! checksum: that a text, a number, the number of a text, a date's format or a sheet's name was
//! changed into another, only the bill's own total tells.

mod book;
mod compound;
mod records;
mod sheet;
mod texts;

use compound::Compound;

use crate::error::{Error, Kind, Origin, Result};

/// A rectangle of this many cells may be empty but for its corners.
const FREE: u64 = 4 << 20;
/// The most times that a larger one may exceed the cells that it has.
const SPARSE: u64 = 64;

/// Refuses a file whose chains do not end, whose sheets ask for more than they hold, or whose parts
/// contradict each other.
pub(super) fn check(bytes: &[u8], name: &str) -> Result<()> {
    let Some(stream) = Compound::new(bytes).and_then(|file| file.workbook()) else {
        return Err(Error::new(Kind::Format, "is a workbook that cannot be read: its parts contradict each other")
            .at(Origin::file(name))
            .hint("open it in a spreadsheet and save it again, or as CSV UTF-8"));
    };
    let damaged = |why| {
        Error::new(Kind::Format, message!("is a damaged workbook: {why}")).at(Origin::file(name)).hint(
            "export it again, best as XLSX or CSV: a spreadsheet may open the damaged file, and shows no more than is left",
        )
    };
    let book = book::Book::of(&stream);
    for begin in book.sheets.iter().copied() {
        let (cells, rectangle) = sheet::asked(&stream, begin);
        if rectangle > FREE && rectangle > cells.saturating_mul(SPARSE) {
            return Err(Error::new(Kind::Bound, "is a workbook with a sheet whose few cells lie far apart")
                .at(Origin::file(name))
                .hint("open it in a spreadsheet and save it as XLSX or CSV UTF-8"));
        }
    }
    book.check(&stream).map_err(damaged)?;
    book.sheets.iter().try_for_each(|begin| sheet::check(&stream, *begin, &book)).map_err(damaged)
}
