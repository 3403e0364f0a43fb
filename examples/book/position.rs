//! Positions, moves and values on the command line and on the terminal.

use clap::Args;
use komadai::core::UsiPosition;
use komadai::movegen::check_legality;
use komadai::{Position, Score};

use crate::usage::bad_usage;

/// Which position is meant.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// The position as SFEN, such as "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"; the
    /// start of the game if left out.
    #[arg(long)]
    sfen: Option<String>,
    /// Moves from there in USI, such as "7g7f 3c3d".
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
}

impl PositionArgs {
    /// The position, with the moves as its history.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        let start = self.sfen.as_deref().map_or("startpos".to_owned(), |sfen| {
            format!("sfen {}", sfen.trim().trim_start_matches("sfen "))
        });
        let line = format!("{start} moves {}", self.moves);
        let usi = UsiPosition::from_usi(line.trim()).map_err(bad_usage)?;
        let mut position = Position::from_setup(&usi.setup).map_err(bad_usage)?;
        for (number, &m) in (1..).zip(&usi.moves) {
            check_legality(&position, m).map_err(|reason| {
                bad_usage(format_args!("move {number}, {m}, is illegal: {reason}"))
            })?;
            position.do_move(m);
        }
        Ok(position)
    }
}

/// A value with its sign: `+35`, `-mate 12`, or `?` if it is not known.
pub(crate) fn value(score: Option<Score>) -> String {
    let Some(score) = score else { return "?".to_owned() };
    match (score.to_cp(), score.mate_plies()) {
        (Some(0), _) => "0".to_owned(),
        (Some(cp), _) => format!("{cp:+}"),
        (None, Some(plies)) if score.raw() > 0 => format!("+mate {plies}"),
        (None, Some(plies)) => format!("-mate {}", plies.abs()),
        (None, None) => score.raw().to_string(),
    }
}
