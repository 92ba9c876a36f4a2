//! A metrics server over HTTP: patient with one that is busy, strict with one that is not it.

mod failure;
mod login;
mod server;
mod settings;

pub use login::Login;
pub use server::Server;
pub use settings::Settings;
