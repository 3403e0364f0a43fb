//! Positions on the command line.

use clap::Args;
use komadai::Position;
use komadai::core::UsiPosition;
use komadai::movegen::check_legality;
use komadai_console::bad_usage;

/// The arguments that name a position.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// Position as SFEN, such as "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    /// by default the start position.
    #[arg(long)]
    sfen: Option<String>,
    /// Moves from there in USI, such as "7g7f 3c3d".
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
}

impl PositionArgs {
    /// Returns the position, with the moves as its history.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        let start = self.sfen.as_deref().map_or("startpos".to_owned(), |sfen| {
            format!("sfen {}", without_escapes(sfen.trim()).trim_start_matches("sfen "))
        });
        let line = format!("{start} moves {}", self.moves);
        position_of(line.trim()).map_err(bad_usage)
    }
}

/// Returns the position of `startpos moves …` or `sfen … moves …`, with the moves as its history.
pub(crate) fn position_of(line: &str) -> Result<Position, String> {
    let usi = UsiPosition::from_usi(line).map_err(|error| error.to_string())?;
    let mut position = Position::from_setup(&usi.setup).map_err(|error| error.to_string())?;
    for (number, &m) in (1..).zip(&usi.moves) {
        check_legality(&position, m)
            .map_err(|reason| format!("move {number}, {m}, is illegal: {reason}"))?;
        position.do_move(m);
    }
    Ok(position)
}

/// Returns an SFEN with the characters that addresses have in another form: `_` or `%20` for
/// blanks, `%2F` for slashes. No part of an SFEN has these.
pub(crate) fn without_escapes(sfen: &str) -> String {
    sfen.replace("%20", " ").replace("%2F", "/").replace("%2f", "/").replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_from_an_address_is_one() {
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for blank in [" ", "_", "%20"] {
            let arguments =
                PositionArgs { sfen: Some(sfen.replace(' ', blank)), moves: String::new() };
            assert_eq!(arguments.position().unwrap(), Position::hirate(), "{blank}");
        }
        assert_eq!(without_escapes(&sfen.replace('/', "%2F")), sfen);
    }
}
