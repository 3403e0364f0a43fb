//! Standard output and standard error, whose readers may leave before the end.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind, StdoutLock, Write};

use komadai_base::text::{PrintableWriter, printable};
use serde_json::Value;

/// Standard output of a program.
///
/// `println!` panics where standard output cannot be written, as after the end of `head -1` in
/// `komadai book info book.db | head -1`. Here it is an error, which a program returns;
/// [`exit_code`](crate::exit_code) ends the program quietly then.
///
/// # Examples
///
/// ```
/// use std::io::Write as _;
/// use komadai_console::stdout;
///
/// writeln!(stdout(), "{} positions", 3)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Names and comments from files can hold characters that a terminal obeys. They are replaced here,
/// at one place for all text, and escaped in JSON ([`json`](Self::json)); [`data`](Self::data) is
/// for pictures and scripts.
#[derive(Debug)]
pub struct Output(Form);

#[derive(Debug)]
enum Form {
    Text(PrintableWriter<StdoutLock<'static>>),
    Data(StdoutLock<'static>),
}

/// Returns standard output for text, locked. The same thread may lock it again.
pub fn stdout() -> Output {
    Output(Form::Text(PrintableWriter::new(io::stdout().lock())))
}

impl Output {
    /// Returns standard output for JSON: the characters that are replaced in text become escapes,
    /// so that the values are the same.
    pub fn json() -> Self {
        Self(Form::Text(PrintableWriter::json(io::stdout().lock())))
    }

    /// Returns standard output for JSON or for text.
    pub fn json_if(is_json: bool) -> Self {
        if is_json { Self::json() } else { stdout() }
    }

    /// Returns standard output for what another program reads: nothing is replaced.
    pub fn data() -> Self {
        Self(Form::Data(io::stdout().lock()))
    }
}

/// Prints a value on standard output as JSON, on one line.
///
/// The keys of every object are in alphabetical order, in whatever order a structure has its
/// fields: the text is the same after fields have been moved.
///
/// # Errors
///
/// Returns the errors of standard output.
pub fn print_json(value: &Value) -> io::Result<()> {
    writeln!(Output::json(), "{value}")
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Form::Text(out) => out.write(bytes),
            Form::Data(out) => out.write(bytes),
        }
        .map_err(name_reader)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Form::Text(out) => out.flush(),
            Form::Data(out) => out.flush(),
        }
        .map_err(name_reader)
    }
}

/// Writes a line to standard error in one piece. Nobody can be told where that fails, so that
/// errors are ignored. What a terminal obeys is replaced, and so is a line end: the names of files
/// and players cannot look like further messages.
///
/// [`note!`](crate::note!) takes the format and its arguments, as `eprintln!` does, which panics
/// there.
pub fn note(text: fmt::Arguments<'_>) {
    let line = format!("{}\n", printable(&text.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Writes a line to standard error, as `eprintln!` does, but ends no program whose standard error
/// has been closed.
///
/// # Examples
///
/// ```
/// komadai_console::note!("warning: line {}: not a move", 3);
/// ```
#[macro_export]
macro_rules! note {
    ($($text:tt)*) => {
        $crate::note(format_args!($($text)*))
    };
}

/// The cause of an error of [`Output`] whose reader has left. It distinguishes standard output from
/// the pipes to engines, which may break as well.
#[derive(Debug)]
struct ReaderLeft;

impl fmt::Display for ReaderLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the reader of standard output has closed it")
    }
}

impl Error for ReaderLeft {}

pub(crate) fn name_reader(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::BrokenPipe => io::Error::new(ErrorKind::BrokenPipe, ReaderLeft),
        _ => error,
    }
}

/// Returns true if the reader of standard output has left.
pub(crate) fn has_reader_left(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        cause.is_some_and(|cause| cause.is::<ReaderLeft>())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_standard_output_has_the_reader() {
        let broken = || io::Error::from(ErrorKind::BrokenPipe);
        assert!(!has_reader_left(&broken().into()));
        assert!(!has_reader_left(&name_reader(ErrorKind::StorageFull.into()).into()));
        let error = anyhow::Error::from(name_reader(broken())).context("in a context");
        assert!(has_reader_left(&error));
    }
}
