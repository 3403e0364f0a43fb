//! Lines from a stream with arbitrary content.

use std::io::{self, BufRead};

/// Maximum length of a line in bytes. A game of 100,000 moves fits.
const LONGEST_LINE: usize = 1 << 20;

/// A line from the other side of a pipe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RawLine {
    /// The text without the line break. Bytes that are not UTF-8 are replaced by `U+FFFD`.
    Text(String),
    /// The same for the text after the last line break of the stream.
    Unfinished(String),
    /// The complete words at the start of a line of more than 1 MiB. The rest is skipped.
    TooLong(String),
}

/// Reads the next line, or `None` at the end.
///
/// Memory is bounded for any content.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<RawLine>> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok((length > 0).then(|| match finish(&line, length) {
                RawLine::Text(text) => RawLine::Unfinished(text),
                other => other,
            }));
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        length += part.len();
        // What is beyond is counted, but not kept.
        let room = LONGEST_LINE - line.len();
        line.extend_from_slice(&part[..part.len().min(room)]);
        let consumed = part.len() + usize::from(end.is_some());
        input.consume(consumed);
        if end.is_some() {
            return Ok(Some(finish(&line, length)));
        }
    }
}

fn finish(line: &[u8], length: usize) -> RawLine {
    let text = String::from_utf8_lossy(line);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if length > LONGEST_LINE {
        let (words, _) = text.rsplit_once(|c: char| c.is_ascii_whitespace()).unwrap_or_default();
        return RawLine::TooLong(words.to_owned());
    }
    RawLine::Text(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn lines(bytes: &[u8]) -> Vec<RawLine> {
        // A small buffer, so that lines cross its ends.
        let mut input = BufReader::with_capacity(7, bytes);
        core::iter::from_fn(|| read_line(&mut input).expect("memory can be read")).collect()
    }

    fn text(text: &str) -> RawLine {
        RawLine::Text(text.to_owned())
    }

    #[test]
    fn lines_end_with_or_without_a_carriage_return() {
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\n"), [text("")]);
        assert_eq!(
            lines(b"usi\r\nisready and more\n\nquit\n"),
            [text("usi"), text("isready and more"), text(""), text("quit")]
        );
        assert_eq!(lines(b"usi\nquit\r"), [text("usi"), RawLine::Unfinished("quit".into())]);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(lines(b"\xef\xbb\xbfusi\n"), [text("usi")]);
        assert_eq!(lines(b"id \x83\xff\nusiok\n"), [text("id \u{fffd}\u{fffd}"), text("usiok")]);
    }

    #[test]
    fn endless_lines_are_skipped() {
        let flood = io::repeat(b'x').take(3 * LONGEST_LINE as u64).chain(&b"\nusi\n"[..]);
        let mut input = BufReader::new(flood);
        assert_eq!(read_line(&mut input).unwrap(), Some(RawLine::TooLong(String::new())));
        assert_eq!(read_line(&mut input).unwrap(), Some(text("usi")));
        assert_eq!(read_line(&mut input).unwrap(), None);
        let mut input = BufReader::new(io::repeat(b'x').take(LONGEST_LINE as u64));
        let Some(RawLine::Unfinished(line)) = read_line(&mut input).unwrap() else { panic!() };
        assert_eq!(line.len(), LONGEST_LINE);
    }

    #[test]
    fn the_beginning_of_an_endless_line_is_kept() {
        let start = "\u{feff}position startpos moves ";
        for capacity in [7, 1 << 16, 1 << 22] {
            let flood =
                start.as_bytes().chain(io::repeat(b'x').take(2 << 20)).chain(&b"\nusi\n"[..]);
            let mut input = BufReader::with_capacity(capacity, flood);
            let kept = RawLine::TooLong("position startpos moves".to_owned());
            assert_eq!(read_line(&mut input).unwrap(), Some(kept), "{capacity}");
            assert_eq!(read_line(&mut input).unwrap(), Some(text("usi")), "{capacity}");
        }
        let moves = "go searchmoves".to_owned() + &" 8h2b+".repeat(LONGEST_LINE / 6);
        let [RawLine::TooLong(kept)] = &lines(moves.as_bytes())[..] else { panic!("too long") };
        assert!(kept.ends_with(" 8h2b+") && kept.len() > LONGEST_LINE - 8, "{}", kept.len());
    }

    #[test]
    fn broken_streams_are_errors() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
        let error = read_line(&mut BufReader::new(Broken)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    }
}
