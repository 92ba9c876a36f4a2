//! The header of a page, in Thrift's compact protocol.

use std::io::Read;

/// The most bytes that a header may have: it holds the least and the largest value of the page.
const MOST_HEADER: u64 = 16 << 20;
/// How deep a header may be nested.
const MOST_DEEP: u8 = 8;

/// What a page is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Data,
    Dictionary,
    Other,
}

/// What a page says of itself.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Bytes of the header.
    pub(super) header: u64,
    pub(super) role: Role,
    /// Bytes that follow the header.
    pub(super) packed: u64,
    /// Bytes that they unfold to.
    pub(super) unpacked: u64,
    /// Whether they are compressed, where the column is.
    pub(super) compressed: bool,
    /// Bytes at their beginning that are not.
    pub(super) plain: u64,
    pub(super) values: u64,
}

impl Page {
    /// Reads the header that bytes begin with.
    pub(super) fn read(bytes: impl Read) -> Result<Self, String> {
        let mut header = Header { bytes: bytes.take(MOST_HEADER), used: 0 };
        let mut page =
            Self { header: 0, role: Role::Other, packed: 0, unpacked: 0, compressed: true, plain: 0, values: 0 };
        let (mut unpacked, mut packed) = (None, None);
        header.fields(0, &mut |header, id, kind| {
            match (id, kind) {
                (1, INTEGER) => page.role = role(header.integer()?),
                (2, INTEGER) => unpacked = Some(header.count()?),
                (3, INTEGER) => packed = Some(header.count()?),
                (5 | 7, STRUCTURE) => header.fields(1, &mut |header, id, kind| match (id, kind) {
                    (1, INTEGER) => header.count().map(|values| page.values = values),
                    _ => header.skip(kind, 1),
                })?,
                (8, STRUCTURE) => header.fields(1, &mut |header, id, kind| {
                    match (id, kind) {
                        (1, INTEGER) => page.values = header.count()?,
                        (5 | 6, INTEGER) => page.plain += header.count()?,
                        (7, TRUE | FALSE) => page.compressed = kind == TRUE,
                        _ => header.skip(kind, 1)?,
                    }
                    Ok(())
                })?,
                _ => header.skip(kind, 0)?,
            }
            Ok(())
        })?;
        let lacks = || "its header does not say its size".to_owned();
        (page.unpacked, page.packed) = (unpacked.ok_or_else(lacks)?, packed.ok_or_else(lacks)?);
        page.header = header.used;
        Ok(page)
    }
}

fn role(code: i64) -> Role {
    match code {
        0 | 3 => Role::Data,
        2 => Role::Dictionary,
        _ => Role::Other,
    }
}

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const INTEGER: u8 = 5;
const STRUCTURE: u8 = 12;

struct Header<R> {
    bytes: R,
    used: u64,
}

/// Reads a field of a header: its number and the kind of its value.
type Field<'a, R> = dyn FnMut(&mut Header<R>, i64, u8) -> Result<(), String> + 'a;

impl<R: Read> Header<R> {
    /// Reads the fields of a structure.
    fn fields(&mut self, depth: u8, field: &mut Field<'_, R>) -> Result<(), String> {
        if depth > MOST_DEEP {
            return Err("its header is nested too deeply".to_owned());
        }
        let mut id = 0i64;
        loop {
            let head = self.byte()?;
            let (step, kind) = (head >> 4, head & 15);
            if kind == 0 {
                return Ok(());
            }
            id = match step {
                0 => self.integer()?,
                step => id.saturating_add(i64::from(step)),
            };
            field(self, id, kind)?;
        }
    }

    fn byte(&mut self) -> Result<u8, String> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte).map_err(|_| "its header is cut off".to_owned())?;
        self.used += 1;
        Ok(byte[0])
    }

    fn variable(&mut self) -> Result<u64, String> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err("its header has a number without an end".to_owned())
    }

    fn integer(&mut self) -> Result<i64, String> {
        let zigzag = self.variable()?;
        Ok((zigzag >> 1) as i64 ^ -((zigzag & 1) as i64))
    }

    fn count(&mut self) -> Result<u64, String> {
        u64::try_from(self.integer()?).map_err(|_| "its header says a size below zero".to_owned())
    }

    /// Passes over a value.
    fn skip(&mut self, kind: u8, depth: u8) -> Result<(), String> {
        match kind {
            TRUE | FALSE => Ok(()),
            3 => self.byte().map(drop),
            4..=6 => self.variable().map(drop),
            7 => self.pass(8),
            8 => {
                let bytes = self.variable()?;
                self.pass(bytes)
            }
            9 | 10 => self.list(depth),
            STRUCTURE => self.fields(depth + 1, &mut |header, _, kind| header.skip(kind, depth + 1)),
            other => Err(format!("its header has a value of the kind {other}")),
        }
    }

    fn list(&mut self, depth: u8) -> Result<(), String> {
        if depth > MOST_DEEP {
            return Err("its header is nested too deeply".to_owned());
        }
        let head = self.byte()?;
        let (count, kind) = (u64::from(head >> 4), head & 15);
        let count = if count == 15 { self.variable()? } else { count };
        for _ in 0..count {
            // In a list a truth value is a byte of its own.
            match kind {
                TRUE | FALSE => self.byte().map(drop)?,
                kind => self.skip(kind, depth + 1)?,
            }
        }
        Ok(())
    }

    fn pass(&mut self, bytes: u64) -> Result<(), String> {
        let passed = std::io::copy(&mut self.bytes.by_ref().take(bytes), &mut std::io::sink());
        match passed.map_err(|e| e.to_string())? == bytes {
            true => {
                self.used += bytes;
                Ok(())
            }
            false => Err("its header is cut off".to_owned()),
        }
    }
}
