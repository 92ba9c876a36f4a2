//! A reader that holds no more than a bound between two rests.

use std::io::{BufRead, Error, Read, Result};

/// The most bytes that one element and what follows it may have.
const MOST: usize = 1 << 20;

/// Counts bytes and rows on their way.
pub(super) struct Bounded<'a> {
    inner: &'a mut dyn BufRead,
    left: usize,
    row: u32,
    ended: bool,
}

impl<'a> Bounded<'a> {
    pub(super) fn new(inner: &'a mut dyn BufRead) -> Self {
        Self { inner, left: MOST, row: 1, ended: false }
    }

    /// Begins to count anew.
    pub(super) fn rest(&mut self) {
        self.left = MOST;
    }

    /// The row that is read.
    pub(super) fn row(&self) -> u32 {
        self.row
    }

    /// Whether all is read.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }
}

impl Read for Bounded<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let bytes = self.fill_buf()?;
        let len = bytes.len().min(out.len());
        out[..len].copy_from_slice(&bytes[..len]);
        self.consume(len);
        Ok(len)
    }
}

impl BufRead for Bounded<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.left == 0 {
            return Err(Error::other(format!("one element has more than {MOST} bytes")));
        }
        let bytes = self.inner.fill_buf()?;
        self.ended = bytes.is_empty();
        Ok(&bytes[..bytes.len().min(self.left)])
    }

    fn consume(&mut self, len: usize) {
        if let Ok(bytes) = self.inner.fill_buf() {
            let lines = memchr::memchr_iter(b'\n', &bytes[..len.min(bytes.len())]).count();
            self.row = self.row.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        }
        self.left = self.left.saturating_sub(len);
        self.inner.consume(len);
    }
}
