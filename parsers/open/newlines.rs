//! One kind of line end, so that rows can be counted.

use std::io::{self, Read};

/// Turns `\r\n` and a lone `\r` into `\n`, drops a byte order mark, and ends the text with `\n`.
pub(crate) struct Newlines<R> {
    inner: R,
    /// A `\r` ended the last buffer; a `\n` that follows belongs to it.
    after_return: bool,
    last: u8,
    begun: bool,
    ended: bool,
}

impl<R: Read> Newlines<R> {
    /// The text of a reader; `begun` if it is not the beginning, where a mark may stand.
    pub(crate) fn new(inner: R, begun: bool) -> Self {
        Self { inner, after_return: false, last: b'\n', begun, ended: false }
    }
}

impl<R: Read> Read for Newlines<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.ended || out.len() < 4 {
            return if self.ended { Ok(0) } else { Err(io::Error::other("buffer of less than four bytes")) };
        }
        loop {
            let mut got = self.inner.read(out)?;
            if !self.begun {
                // A mark may arrive in pieces; three bytes decide.
                while got > 0 && got < 3 && b"\xef\xbb\xbf".starts_with(&out[..got]) {
                    match self.inner.read(&mut out[got..])? {
                        0 => break,
                        more => got += more,
                    }
                }
                self.begun = true;
                if out[..got].starts_with(b"\xef\xbb\xbf") {
                    out.copy_within(3..got, 0);
                    got -= 3;
                    if got == 0 {
                        continue;
                    }
                }
            }
            if got == 0 {
                self.ended = true;
                if self.last == b'\n' {
                    return Ok(0);
                }
                out[0] = b'\n';
                return Ok(1);
            }
            let kept = self.unify(&mut out[..got]);
            if kept > 0 {
                self.last = out[kept - 1];
                return Ok(kept);
            }
        }
    }
}

impl<R> Newlines<R> {
    /// Compacts a buffer in place and returns its new length.
    fn unify(&mut self, buffer: &mut [u8]) -> usize {
        let skip = usize::from(self.after_return && buffer.first() == Some(&b'\n'));
        self.after_return = false;
        let Some(first) = memchr::memchr(b'\r', buffer) else {
            buffer.copy_within(skip.., 0);
            return buffer.len() - skip;
        };
        if skip == 1 {
            buffer.copy_within(1.., 0);
        }
        let len = buffer.len() - skip;
        let (mut read, mut write) = (first - skip, first - skip);
        while read < len {
            if buffer[read] == b'\r' {
                buffer[write] = b'\n';
                if read + 1 == len {
                    self.after_return = true;
                } else if buffer[read + 1] == b'\n' {
                    read += 1;
                }
                (read, write) = (read + 1, write + 1);
            } else {
                let run = memchr::memchr(b'\r', &buffer[read..len]).unwrap_or(len - read);
                buffer.copy_within(read..read + run, write);
                (read, write) = (read + run, write + run);
            }
        }
        write
    }
}
