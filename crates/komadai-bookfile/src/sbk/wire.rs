//! Protocol buffers: numbered fields, each a number or a sequence of bytes.
//!
//! Source: <https://protobuf.dev/programming-guides/encoding/>.

use crate::error::BookError;

/// The value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
    /// Four or eight bytes; no field of a book has this type.
    Fixed,
}

/// A field of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field<'b> {
    pub(super) number: u64,
    pub(super) value: Value<'b>,
    /// The offset of its value in the file; for bytes, the offset of the first of them.
    pub(super) at: u64,
}

/// An iterator over the fields of a message.
#[derive(Debug, Clone)]
pub(super) struct Fields<'b> {
    rest: &'b [u8],
    /// The offset of the rest in the file.
    at: u64,
}

impl<'b> Fields<'b> {
    /// The fields of a message that starts at the offset `at` of the file.
    pub(super) fn new(message: &'b [u8], at: u64) -> Self {
        Self { rest: message, at }
    }

    fn error(&self, expected: &'static str) -> BookError {
        BookError::Wire { at: self.at, expected }
    }

    fn take(&mut self, len: u64) -> Result<&'b [u8], BookError> {
        let taken = usize::try_from(len).ok().and_then(|len| self.rest.split_at_checked(len));
        let (taken, rest) = taken.ok_or_else(|| self.error("as many bytes as are announced"))?;
        self.rest = rest;
        self.at += len;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, BookError> {
        let mut number = 0;
        for (index, &byte) in self.rest.iter().take(10).enumerate() {
            let digit = u64::from(byte & 0x7f);
            if index == 9 && digit > 1 {
                break;
            }
            number |= digit << (7 * index);
            if byte < 0x80 {
                self.rest = &self.rest[index + 1..];
                self.at += index as u64 + 1;
                return Ok(number);
            }
        }
        Err(self.error("a number of at most 64 bits"))
    }

    fn field(&mut self) -> Result<Field<'b>, BookError> {
        let start = self.at;
        let key = self.number()?;
        let mut at = self.at;
        let value = match key & 7 {
            0 => Value::Number(self.number()?),
            1 => self.take(8).map(|_| Value::Fixed)?,
            2 => {
                let len = self.number()?;
                at = self.at;
                Value::Bytes(self.take(len)?)
            }
            5 => self.take(4).map(|_| Value::Fixed)?,
            _ => {
                return Err(BookError::Wire { at: start, expected: "a field of a known type" });
            }
        };
        match key >> 3 {
            0 => Err(BookError::Wire { at: start, expected: "a field with a number" }),
            number => Ok(Field { number, value, at }),
        }
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = Result<Field<'b>, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

impl<'b> Field<'b> {
    /// A number of the type `int32`: its lowest 32 bits, as protocol buffers define it.
    pub(super) fn int32(&self) -> Result<i32, BookError> {
        self.number().map(|number| number as i32)
    }

    /// A number that is not negative.
    pub(super) fn count(&self) -> Result<u32, BookError> {
        let count = u32::try_from(self.int32()?);
        count.map_err(|_| self.error("a number that is not negative"))
    }

    pub(super) fn number(&self) -> Result<u64, BookError> {
        match self.value {
            Value::Number(number) => Ok(number),
            Value::Bytes(_) | Value::Fixed => Err(self.error("a number")),
        }
    }

    pub(super) fn bytes(&self) -> Result<&'b [u8], BookError> {
        match self.value {
            Value::Bytes(bytes) => Ok(bytes),
            Value::Number(_) | Value::Fixed => Err(self.error("bytes")),
        }
    }

    pub(super) fn text(&self) -> Result<&'b str, BookError> {
        str::from_utf8(self.bytes()?).map_err(|_| self.error("text in UTF-8"))
    }

    pub(super) fn error(&self, expected: &'static str) -> BookError {
        BookError::Wire { at: self.at, expected }
    }
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Writes a number. One of the type `int32` is sign-extended to 64 bits.
pub(super) fn put_int(out: &mut Vec<u8>, field: u64, number: i64) {
    put_number(out, field << 3);
    put_number(out, number as u64);
}

pub(super) fn put_bytes(out: &mut Vec<u8>, field: u64, bytes: &[u8]) {
    put_number(out, field << 3 | 2);
    put_number(out, bytes.len() as u64);
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_specification_are_read_and_written() {
        // A field 1 of 150, a field 2 of "testing", and −2 as ten bytes.
        let mut bytes = vec![0x08, 0x96, 0x01, 0x12, 0x07];
        bytes.extend(b"testing");
        bytes.extend([0x18, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        let fields: Vec<_> = Fields::new(&bytes, 100).map(|f| f.expect("a field")).collect();
        let place = |number, value, at| Field { number, value, at };
        assert_eq!(fields[0], place(1, Value::Number(150), 101));
        assert_eq!(fields[1], place(2, Value::Bytes(b"testing"), 105));
        assert_eq!(fields[2].int32().ok(), Some(-2));
        assert!(fields[2].count().is_err() && fields[1].number().is_err());
        assert_eq!((fields.len(), fields[1].text().ok()), (3, Some("testing")));

        let mut written = Vec::new();
        put_int(&mut written, 1, 150);
        put_bytes(&mut written, 2, b"testing");
        put_int(&mut written, 3, -2);
        assert_eq!(written, bytes);
    }

    #[test]
    fn malformed_fields_end_the_message_with_an_error() {
        let too_long = [0x08, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2];
        let cases: [(&[u8], u64); 6] = [
            (&[0x08], 1),             // A missing number.
            (&[0x08, 0x80], 1),       // A number that does not end.
            (&too_long, 1),           // One of 65 bits.
            (&[0x12, 0x05, 1, 2], 2), // Fewer bytes than announced.
            (&[0x0b], 0),             // A group, a deprecated type.
            (&[0x00, 0x01], 0),       // A field 0.
        ];
        for (bytes, at) in cases {
            let fields: Vec<_> = Fields::new(bytes, 0).collect();
            let is_there =
                matches!(&fields[..], [Err(BookError::Wire { at: found, .. })] if *found == at);
            assert!(is_there, "{bytes:?}: {fields:?}");
        }
    }
}
