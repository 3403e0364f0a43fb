//! The summary of a game that a server offers.

use komadai_core::Color;
use komadai_kifu::{HeaderKey, Record, Tolerance, parse_csa};

use crate::error::ProtocolError;
use crate::time_rules::TimeRules;

/// Largest number of lines of a summary. A game that goes on has a line a move.
const MAX_LINES: usize = 20_000;

/// A game that a server offers: `BEGIN Game_Summary` … `END Game_Summary`.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_csa::GameSummary;
///
/// let text = "Game_ID:1\nName+:A\nName-:B\nYour_Turn:-\nTo_Move:+\nBEGIN Time\nTotal_Time:600\n\
///             Byoyomi:10\nEND Time\nBEGIN Position\nPI\n+\n+7776FU,T3\nEND Position\n";
/// let game = GameSummary::read(text.lines())?;
/// assert_eq!((game.color, game.name(Color::White)), (Color::White, "B"));
/// assert_eq!(game.times[1].byoyomi.as_secs(), 10);
/// assert_eq!(game.record.to_usi().to_string(), "startpos moves 7g7f");
/// # Ok::<(), komadai_csa::ProtocolError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct GameSummary {
    /// The identifier of the game.
    pub id: String,
    /// The side of the player that receives the summary.
    pub color: Color,
    /// The start position, the moves already made with their times, and the names in the header.
    pub record: Record,
    /// The time rules of Black and White.
    pub times: [TimeRules; 2],
    /// The number of moves after which the game is a draw, if it is limited.
    pub max_moves: Option<u32>,
    /// The rule for declaring a win, `Jishogi 1.1`, if stated.
    pub declaration: Option<String>,
    /// True if a draw is followed by another game.
    pub rematch_on_draw: bool,
    /// The other lines outside the blocks: keys and values.
    pub other: Vec<(String, String)>,
}

/// The keys whose values have fields of their own.
const OWN_KEYS: [&str; 7] =
    ["Game_ID", "Name+", "Name-", "Your_Turn", "Max_Moves", "Declaration", "Rematch_On_Draw"];

impl GameSummary {
    /// Reads the lines between `BEGIN Game_Summary` and `END Game_Summary`.
    ///
    /// # Errors
    ///
    /// If the side of the player or the position is missing, or a line has a fault.
    pub fn read<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Self, ProtocolError> {
        let blocks = Blocks::read(lines)?;
        let of = |wanted: &str| {
            blocks.keys.iter().find(|(key, _)| key == wanted).map(|(_, value)| value.as_str())
        };
        let your_turn = of("Your_Turn").ok_or(ProtocolError::Missing { key: "Your_Turn" })?;
        let fault = |found: String, expected| ProtocolError::Summary { found, expected };
        let color = match your_turn {
            "+" => Color::Black,
            "-" => Color::White,
            _ => return Err(fault(format!("Your_Turn:{your_turn}"), "`+` or `-`")),
        };
        if blocks.position.is_empty() {
            return Err(ProtocolError::Missing { key: "BEGIN Position" });
        }
        let mut games = parse_csa(&blocks.position, Tolerance::Strict)
            .map_err(ProtocolError::Position)?
            .records;
        let mut record = match games.len() {
            1 => games.remove(0),
            _ => return Err(fault("BEGIN Position".to_owned(), "one position")),
        };
        for (key, color) in [("Name+", Color::Black), ("Name-", Color::White)] {
            record.header.set(HeaderKey::player(color), of(key).unwrap_or_default());
        }
        let id = of("Game_ID").unwrap_or_default().to_owned();
        record.header.set(HeaderKey::Event, id.clone());
        let max_moves = match of("Max_Moves") {
            None => None,
            Some(value) => match value.parse() {
                // 0 stands for a game without a limit.
                Ok(0) => None,
                Ok(moves) => Some(moves),
                Err(_) => return Err(fault(format!("Max_Moves:{value}"), "a number of moves")),
            },
        };
        let declaration = of("Declaration").map(str::to_owned);
        let rematch = of("Rematch_On_Draw");
        let rematch_on_draw = rematch == Some("YES");
        let times = blocks.times()?;
        let other =
            blocks.keys.into_iter().filter(|(key, _)| !OWN_KEYS.contains(&key.as_str())).collect();
        Ok(Self { id, color, record, times, max_moves, declaration, rematch_on_draw, other })
    }

    /// Returns the name of a player; empty if the summary has none.
    pub fn name(&self, color: Color) -> &str {
        self.record.header.player(color).unwrap_or_default()
    }
}

/// The lines of a summary by their blocks.
#[derive(Debug, Default)]
struct Blocks {
    keys: Vec<(String, String)>,
    /// The blocks of times: `+`, `-`, or nothing for both sides; keys and values.
    times: Vec<(String, Vec<(String, String)>)>,
    position: String,
}

impl Blocks {
    fn read<'a>(lines: impl IntoIterator<Item = &'a str>) -> Result<Self, ProtocolError> {
        let mut blocks = Self::default();
        let mut block: Option<String> = None;
        for (number, line) in lines.into_iter().enumerate() {
            if number >= MAX_LINES {
                return Err(ProtocolError::TooLong { limit: MAX_LINES });
            }
            let line = line.trim_end();
            if let Some(name) = line.strip_prefix("BEGIN ") {
                if let Some(side) = name.strip_prefix("Time") {
                    blocks.times.push((side.to_owned(), Vec::new()));
                }
                block = Some(name.to_owned());
            } else if line.starts_with("END ") {
                block = None;
            } else {
                blocks.add(block.as_deref(), line);
            }
        }
        match block {
            None => Ok(blocks),
            Some(name) => {
                let found = format!("BEGIN {name}");
                Err(ProtocolError::Summary { found, expected: "the end of this block" })
            }
        }
    }

    fn add(&mut self, block: Option<&str>, line: &str) {
        let pair = || line.split_once(':').map(|(key, value)| (key.to_owned(), value.to_owned()));
        match (block, self.times.last_mut()) {
            (None, _) => self.keys.extend(pair()),
            (Some("Position"), _) => {
                self.position.push_str(line);
                self.position.push('\n');
            }
            (Some(name), Some((_, lines))) if name.starts_with("Time") => lines.extend(pair()),
            _ => {}
        }
    }

    /// The rules of both sides: those for both, and then those of each.
    fn times(&self) -> Result<[TimeRules; 2], ProtocolError> {
        let read = |rules: TimeRules, wanted: &str| {
            let blocks = self.times.iter().filter(|(side, _)| side == wanted);
            let lines = blocks.flat_map(|(_, lines)| lines);
            rules.read(lines.map(|(key, value)| (key.as_str(), value.as_str())))
        };
        let both = read(TimeRules::default(), "")?;
        Ok([read(both.clone(), "+")?, read(both, "-")?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "Protocol_Version:1.2\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\nGame_ID:x\nName+:A:b\n\
        Name-:C\nYour_Turn:+\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\nBEGIN Time\nTime_Unit:1sec\n\
        Total_Time:300\nEND Time\nBEGIN Time-\nByoyomi:5\nEND Time-\nBEGIN Position\nPI82HI22KA\n-\n-3334FU,T2\n\
        END Position\n";

    #[test]
    fn a_summary_has_names_times_and_the_moves_so_far() {
        let game = GameSummary::read(GOOD.lines()).unwrap();
        assert_eq!((game.name(Color::Black), game.max_moves), ("A:b", Some(256)));
        let seconds =
            game.times.each_ref().map(|rules| (rules.total.as_secs(), rules.byoyomi.as_secs()));
        assert_eq!(seconds, [(300, 0), (300, 5)]);
        assert_eq!(game.record.moves[0].time.map(|time| time.as_secs()), Some(2));
        let keys: Vec<_> = game.other.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["Protocol_Version", "Format", "To_Move"]);
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let error = |from: &str, to: &str| {
            assert!(GOOD.contains(from), "{from}");
            GameSummary::read(GOOD.replace(from, to).lines()).unwrap_err().to_string()
        };
        assert!(error("Your_Turn:+\n", "").contains("found no Your_Turn"));
        assert!(error("Your_Turn:+", "Your_Turn:*").contains("Your_Turn:*"));
        assert!(error("Total_Time:300", "Total_Time:much").contains("Total_Time:much"));
        assert!(error("Max_Moves:256", "Max_Moves:all").contains("Max_Moves:all"));
        assert!(error("-3334FU", "-3339FU").contains("position of a game's summary"));
        assert!(error("END Position\n", "").contains("BEGIN Position"));
        assert!(error("PI82HI22KA\n-\n-3334FU,T2\n", "").contains("found no BEGIN Position"));
        assert!(GameSummary::read(std::iter::repeat_n("a:b", 30_000)).is_err());
    }
}
