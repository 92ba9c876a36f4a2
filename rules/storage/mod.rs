//! Rules of the group `storage`.

mod shelf;
pub(crate) mod stale_image;
