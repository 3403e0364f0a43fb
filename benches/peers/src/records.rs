//! The peer side of the comparison of record readers.

use std::fmt;
use std::io::{self, BufRead as _, Write as _};
use std::path::Path;

use cpu_time::ProcessTime;

/// The formats of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// CSA.
    Csa,
    /// KIF.
    Kif,
}

impl Format {
    /// Both formats.
    pub const ALL: [Self; 2] = [Self::Csa, Self::Kif];
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csa => "csa",
            Self::Kif => "kif",
        })
    }
}

/// Answers requests `csa LIST` and `kif LIST` on standard input until its end: reads the files
/// named in the file LIST, one a line, and prints the number of those read, that of their moves,
/// and the CPU time in nanoseconds. `read` reads one file and returns the number of its moves. The
/// answer to `name` is the name.
///
/// # Errors
///
/// If standard input or output fails.
pub fn serve(name: &str, read: impl Fn(Format, &Path) -> anyhow::Result<u64>) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = match line.split_once(' ') {
            Some(("csa", list)) => read_all(Format::Csa, list, &read),
            Some(("kif", list)) => read_all(Format::Kif, list, &read),
            _ => Ok(name.to_owned()),
        };
        match answer {
            Ok(answer) => writeln!(output, "{answer}")?,
            Err(error) => writeln!(output, "error {error:#}")?,
        }
        output.flush()?;
    }
    Ok(())
}

fn read_all(
    format: Format,
    list: &str,
    read: &impl Fn(Format, &Path) -> anyhow::Result<u64>,
) -> anyhow::Result<String> {
    let list = std::fs::read_to_string(list)?;
    let start = ProcessTime::now();
    let (mut files, mut moves) = (0, 0);
    for path in list.lines() {
        if let Ok(read) = read(format, Path::new(path)) {
            files += 1;
            moves += read;
        }
    }
    Ok(format!("{files} {moves} {}", start.elapsed().as_nanos()))
}
