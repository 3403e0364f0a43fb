//! The conditions of a search on the command line.

use clap::{Args, ValueEnum};
use komadai::games::{GameDate, GameQuery, MaterialLead};
use komadai::kifu::formation::{BoardPattern, Formation};
use komadai::kifu::{Outcome, read_japanese_move};
use komadai::movegen::check_legality;
use komadai::{Color, Move, Position};
use komadai_console::bad_usage;

use crate::arguments::position::PositionArgs;

/// A position of a game as an option, because folders of games are the words of the command.
#[derive(Debug, Default, Args)]
pub(super) struct PositionOption {
    /// Position: an SFEN, `startpos moves …`, `sfen … moves …`, a file with a game, or `-`. However it
    /// was reached.
    #[arg(long, value_name = "POSITION", num_args = 1..)]
    position: Vec<String>,
    /// Number of moves of --position to make; by default all.
    #[arg(long, value_name = "N", requires = "position")]
    ply: Option<usize>,
    /// Number of the game of --position, from 1, if the file has several.
    #[arg(long, value_name = "N", requires = "position")]
    game: Option<usize>,
}

impl PositionOption {
    /// Returns the position, if there is one.
    pub(super) fn position(&self) -> anyhow::Result<Option<Position>> {
        if self.position.is_empty() {
            return Ok(None);
        }
        PositionArgs::of_words(&self.position, self.ply, self.game).position().map(Some)
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Conditions, all of which hold")]
pub(super) struct Criteria {
    #[command(flatten)]
    position: PositionOption,
    /// Partial position: words such as "K2h S3h !G4i .5e hand:2P p3d turn:b". Capital letters are
    /// Black's pieces. All patterns, leads and the position hold at the same time.
    #[arg(long, value_name = "PATTERN")]
    pattern: Vec<String>,
    /// Lead in pieces won since the start: black:R, white:B2P.
    #[arg(long, value_name = "SIDE:PIECES")]
    ahead: Vec<MaterialLead>,
    /// Number of successive positions in which patterns and leads hold; 2 passes over pieces that are
    /// taken back at once.
    #[arg(long, value_name = "N", default_value_t = 1)]
    lasting: usize,
    /// Find positions, patterns and leads with the colours exchanged as well.
    #[arg(long)]
    mirrored: bool,
    /// First moves of the game: USI, 7g7f 3c3d, or ▲７六歩△３四歩.
    #[arg(long, value_name = "MOVES", num_args = 1..)]
    opening: Vec<String>,
    /// Part of the name of a player; twice for two players.
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,
    /// Part of the name of Black.
    #[arg(long, value_name = "NAME")]
    black: Option<String>,
    /// Part of the name of White.
    #[arg(long, value_name = "NAME")]
    white: Option<String>,
    /// Part of the name of the winner.
    #[arg(long, value_name = "NAME")]
    winner: Option<String>,
    /// Part of the event, or of the title.
    #[arg(long, value_name = "TEXT")]
    event: Option<String>,
    /// First date: 2019, 2019-06 or 2019-06-30.
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,
    /// Last date.
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,
    /// Result; several are alternatives.
    #[arg(long, value_enum, value_name = "RESULT")]
    result: Vec<ResultName>,
    /// Smallest number of moves.
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_moves: usize,
    /// Largest number of moves.
    #[arg(long, value_name = "N")]
    max_moves: Option<usize>,
    /// Castle or strategy (囲い・戦法) in English or Japanese, of any side or of one: mino, black:美濃囲い.
    #[arg(long, visible_aliases = ["castle", "strategy"], value_name = "[SIDE:]NAME")]
    formation: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ResultName {
    /// Black (先手) won.
    Black,
    /// White (後手) won.
    White,
    /// A draw.
    Draw,
    /// No result.
    None,
}

impl Criteria {
    /// Returns the query.
    pub(super) fn query(&self) -> anyhow::Result<GameQuery> {
        let patterns = self.pattern.iter().map(|text| {
            text.parse::<BoardPattern>()
                .map_err(|error| bad_usage(format_args!("--pattern {text:?}: {error}")))
        });
        let most = self.max_moves.unwrap_or(usize::MAX);
        if self.min_moves > most {
            let least = self.min_moves;
            return Err(bad_usage(format_args!(
                "--min-moves {least} is more than --max-moves {most}"
            )));
        }
        if let (Some(since), Some(until)) = (self.since, self.until)
            && since.compare(until).is_gt()
        {
            return Err(bad_usage(format_args!("--since {since} is after --until {until}")));
        }
        if self.player.len() > 2 {
            return Err(bad_usage("--player: a game has two players"));
        }
        Ok(GameQuery {
            position: self.position.position()?,
            patterns: patterns.collect::<anyhow::Result<_>>()?,
            leads: self.ahead.clone(),
            mirrored: self.mirrored,
            lasting: self.lasting,
            opening: opening(&self.opening.join(" "))?,
            players: self.player.clone(),
            sides: [self.black.clone(), self.white.clone()],
            winner: self.winner.clone(),
            event: self.event.clone(),
            since: self.since,
            until: self.until,
            outcomes: self.result.iter().map(|result| result.outcome()).collect(),
            moves: self.min_moves..=most,
            formations: self
                .formation
                .iter()
                .map(|text| formation(text))
                .collect::<anyhow::Result<_>>()?,
        })
    }
}

impl ResultName {
    fn outcome(self) -> Outcome {
        match self {
            Self::Black => Outcome::Win(Color::Black),
            Self::White => Outcome::Win(Color::White),
            Self::Draw => Outcome::Draw,
            Self::None => Outcome::Unknown,
        }
    }
}

/// Reads moves from the even position, in USI or in Japanese.
fn opening(text: &str) -> anyhow::Result<Vec<Move>> {
    let text = text.trim();
    let text = text.strip_prefix("startpos").unwrap_or(text).trim_start();
    let mut rest = text.strip_prefix("moves").unwrap_or(text).trim_start();
    let mut position = Position::hirate();
    let mut moves: Vec<Move> = Vec::new();
    while !rest.is_empty() {
        let number = moves.len() + 1;
        let refused = |reason: &dyn std::fmt::Display| {
            bad_usage(format_args!("--opening: move {number}: {reason}"))
        };
        let word = rest.split_whitespace().next().unwrap_or_default();
        let m = if word.is_ascii() {
            rest = rest[word.len()..].trim_start();
            word.parse::<Move>().map_err(|error| refused(&error))?
        } else {
            let last = moves.last().map(|m| m.to());
            let (m, after) =
                read_japanese_move(rest, &position, last).map_err(|error| refused(&error))?;
            rest = after.trim_start_matches([' ', '　']);
            m
        };
        check_legality(&position, m)
            .map_err(|reason| refused(&format_args!("{m} is illegal: {reason}")))?;
        position.do_move(m);
        moves.push(m);
    }
    Ok(moves)
}

/// Reads a castle or a strategy, perhaps after a side.
fn formation(text: &str) -> anyhow::Result<(Formation, Option<Color>)> {
    let (side, name) = match text.split_once(':') {
        Some(("black" | "先手", name)) => (Some(Color::Black), name),
        Some(("white" | "後手", name)) => (Some(Color::White), name),
        _ => (None, text),
    };
    let found = Formation::by_name(name).or_else(|| {
        // Names have the case of sentences; people write Mino, too.
        Formation::all().find(|formation| formation.english().eq_ignore_ascii_case(name))
    });
    let Some(formation) = found else {
        let part = name.trim_end_matches("囲い").to_lowercase();
        let is_similar = |formation: &Formation| {
            let names =
                [formation.id(), formation.english(), formation.japanese(), formation.reading()];
            names.iter().any(|name| name.contains(&part))
        };
        let similar = Formation::all().filter(|one| !part.is_empty() && is_similar(one)).take(8);
        let similar: Vec<_> =
            similar.map(|one| format!("{} ({})", one.english(), one.japanese())).collect();
        let similar = if similar.is_empty() {
            String::new()
        } else {
            format!("; similar: {}", similar.join(", "))
        };
        return Err(bad_usage(format_args!(
            "--formation: no castle or strategy is called {name:?}{similar}; `komadai kifu names --list` has all"
        )));
    };
    Ok((formation, side))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usi(moves: &[Move]) -> Vec<String> {
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn openings_are_read_in_both_notations() {
        let expected = ["7g7f", "3c3d", "8h2b+", "3a2b"];
        for text in [
            "7g7f 3c3d 8h2b+ 3a2b",
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
            "▲７六歩△３四歩▲２二角成△同銀",
            "▲７六歩 △３四歩　▲２二角成 △同　銀",
            "７六歩 3c3d ２二角成 3a2b",
        ] {
            assert_eq!(usi(&opening(text).unwrap()), expected, "{text}");
        }
        assert_eq!(opening("").unwrap(), []);
        for (text, message) in [
            ("7g7f 7c7e", "--opening: move 2: 7c7e is illegal"),
            ("7g7f x", "--opening: move 2: "),
            ("▲７六歩△歩", "--opening: move 2: "),
            ("▲７六歩 5５", "--opening: move 2: "),
        ] {
            let error = opening(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn formations_have_many_names() {
        let mino = Formation::by_name("mino").unwrap();
        for (text, side) in [
            ("mino", None),
            ("Mino", None),
            ("美濃囲い", None),
            ("美濃", None),
            ("black:美濃囲い", Some(Color::Black)),
            ("後手:mino", Some(Color::White)),
        ] {
            assert_eq!(formation(text).unwrap(), (mino, side), "{text}");
        }
        let error = formation("美濃囲").unwrap_err().to_string();
        assert!(error.contains("similar: ") && error.contains("美濃囲い"), "{error}");
        assert!(formation("").is_err());
    }
}
