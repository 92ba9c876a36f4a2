//! The mail to finance: a report that was written, as a letter, delivered once.

mod address;
mod letter;
mod refusal;
mod sent;
mod server;

pub use address::{bare, mailboxes};
pub use letter::{Letter, Parties};
pub use sent::{Sent, State};
pub use server::{Login, Secured, Server, Witness};
