//! Records, and the numbers in them.

/// One record of a stream.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    pub(super) data: &'a [u8],
    /// Where the next one begins.
    pub(super) end: usize,
}

impl Record<'_> {
    /// A number of two bytes; 0 behind the end.
    pub(super) fn short(&self, at: usize) -> u16 {
        u16_at(self.data, at).unwrap_or_default()
    }
}

/// The records of a stream from a place on.
pub(super) fn records(stream: &[u8], mut at: usize) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        let kind = u16_at(stream, at)?;
        let length = usize::from(u16_at(stream, at + 2)?);
        let data = stream.get(at + 4..at + 4 + length)?;
        at += 4 + length;
        Some(Record { kind, data, end: at })
    })
}

pub(super) fn u32s(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).filter_map(|b| u32_at(b, 0)).collect()
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
