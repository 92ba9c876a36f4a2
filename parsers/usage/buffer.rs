//! What a reader gives, piece by piece.

use std::io::{BufRead, Read, Result};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;
/// Bytes of a page of memory.
const PAGE: usize = 1 << 12;

/// A reader with a buffer that begins where a page of memory does, as pieces of a file do: some
/// processors copy half as slowly again, or three times, to an address a few bytes off.
pub(super) struct Buffer<R> {
    raw: R,
    bytes: Vec<u8>,
    /// Where the buffer begins.
    begin: usize,
    at: usize,
    filled: usize,
}

impl<R: Read> Buffer<R> {
    /// A buffer of which nothing is read yet.
    pub(super) fn new(raw: R) -> Self {
        let bytes = vec![0; PAGE + CHUNK];
        let begin = bytes.as_ptr().addr().wrapping_neg() % PAGE;
        Self { raw, bytes, begin, at: begin, filled: begin }
    }
}

impl<R: Read> Read for Buffer<R> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Buffer<R> {
    #[inline]
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.at == self.filled {
            let read = self.raw.read(&mut self.bytes[self.begin..self.begin + CHUNK])?;
            (self.at, self.filled) = (self.begin, self.begin + read);
        }
        Ok(&self.bytes[self.at..self.filled])
    }

    #[inline]
    fn consume(&mut self, used: usize) {
        self.at = self.filled.min(self.at + used);
    }
}
