//! The arguments of a game.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};
use komadai::core::Handicap;
use komadai::matches::TimeControl;
use komadai::movegen::DeclarationRule;
use komadai::{Color, Position};
use komadai_console::{Appearance, bad_usage, check_is_new, threads};

use crate::arguments::duration::{minutes, seconds};
use crate::arguments::engine::{Engine, read_option};
use crate::arguments::position::PositionArgs;
use crate::arguments::record::format_of;
use crate::board::Style;

/// Maximum time for an engine to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// Time for a move of an engine without another limit.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Size of the transposition table of the embedded engine at full strength in MiB.
const HASH_MIB: usize = 64;

/// Play a game against the embedded engine, or any other that speaks USI.
///
/// Moves are typed in USI (7g7f), Japanese (７六歩, 76歩, 同銀), as P-7f, P7f or P76, or in CSA (7776FU).
/// Further commands are hint, eval, undo, moves, legal, board, flip, comment, save, declare, resign
/// and quit; `help` explains them. An illegal move is refused with the rule that it breaks. A mate
/// that the engine threatens (詰めろ) and a win that can be declared (入玉宣言) are announced. Without a
/// terminal the lines of standard input are the moves and commands.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai play\n  \
    komadai play --level 7 --side random --time 10 --byoyomi 30 --save game.kif\n  \
    komadai play --handicap 二枚落ち --level 0 --lang ja\n  \
    komadai play game.kif --ply 60 --side white\n  \
    komadai play --engine ./other --option EvalDir=eval --seconds 3\n  \
    printf '7g7f\\n2g2f\\nresign\\n' | komadai play --level 1 --seed 1 --save game.csa\n\n\
    A move may take the rest of the main time, its increment and the byoyomi. The clock stands still \
    while a command is carried out, and is set back when a move is taken back.\n\
    Exit codes: 0 played or left, 1 failed, 2 bad usage, 130 stopped by Ctrl-C. With --save the game is \
    on disk after each move of the engine, whatever happens.")]
pub struct PlayArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Handicap (駒落ち), which White gives: lance, right-lance, bishop, rook, rook-lance, 2 to 8 or
    /// 10 pieces, or the Japanese name.
    #[arg(long, value_name = "NAME", value_parser = read_handicap, conflicts_with_all = ["words", "sfen"])]
    handicap: Option<Handicap>,
    /// Strength of the embedded engine from 1, the weakest, to 10; 0 for full strength.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(..=10),
          conflicts_with = "engine")]
    pub(super) level: u8,
    /// The side that you play.
    #[arg(long, value_enum, default_value_t = SideChoice::Black)]
    side: SideChoice,
    /// Main time of each side in minutes; without a clock there is no limit for you.
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    time: Option<Duration>,
    /// Time for each move after the main time, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    byoyomi: Option<Duration>,
    /// Time that each move adds, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    increment: Option<Duration>,
    /// Nodes of the engine for each move.
    #[arg(long)]
    nodes: Option<u64>,
    /// Maximum time of the engine for each move in seconds; by default 1 without a clock, if the
    /// strength is not limited.
    #[arg(long, value_parser = seconds)]
    seconds: Option<Duration>,
    /// Rule for declaring a win: NoEnteringKing, CSARule24, CSARule24H, CSARule27, CSARule27H,
    /// TryRule.
    #[arg(long, value_name = "RULE", default_value = "CSARule27")]
    pub(super) declaration: DeclarationRule,
    /// Command of a USI engine in place of the embedded one.
    #[arg(long, value_name = "COMMAND")]
    pub(super) engine: Option<String>,
    /// USI option of the engine; it may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", action = ArgAction::Append,
          value_parser = read_option)]
    options: Vec<(String, String)>,
    /// Seed of the choices of a level and of `--side random`; by default another one each time.
    #[arg(long)]
    seed: Option<u32>,
    /// Keep the game in this file after each move, with times, and with the values of the engine as
    /// comments. The ending decides the format: .kif, .csa, .ki2, .jkf, .usi.
    #[arg(long, value_name = "FILE")]
    pub(super) save: Option<PathBuf>,
    /// Replace that file if it exists.
    #[arg(long, requires = "save")]
    force: bool,
    /// Your name in the record.
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Do not announce mates that the engine threatens.
    #[arg(long)]
    pub(super) no_warnings: bool,
    /// Turn the board: White's side is below, or Black's if you play White.
    #[arg(long)]
    pub(super) flip: bool,
    #[command(flatten)]
    pub(super) appearance: Appearance,
    /// Characters on the pieces; by default kanji in Japanese, else letters.
    #[arg(long, value_enum)]
    style: Option<Style>,
}

/// The side of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideChoice {
    /// 先手, or 下手 in a game with a handicap.
    Black,
    /// 後手, or 上手 in a game with a handicap.
    White,
    /// By chance.
    Random,
}

impl PlayArgs {
    /// Refuses what the parser of the command line cannot see.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if matches!(self.position.words(), [word] if word == "-") {
            return Err(bad_usage("`-`: standard input has the moves, expected a file or an SFEN"));
        }
        if let Some(path) = &self.save {
            if format_of(path).is_none() {
                let path = path.display();
                return Err(bad_usage(format_args!(
                    "--save {path}: expected the ending .kif, .csa, .ki2, .jkf, .usen or .usi"
                )));
            }
            check_is_new(path, self.force)?;
        }
        Ok(())
    }

    /// Returns the position in which the game begins, with the moves before it.
    pub(super) fn start(&self) -> anyhow::Result<Position> {
        match self.handicap {
            Some(handicap) => Ok(Position::from_setup(&handicap.to_setup())?),
            None => self.position.position(),
        }
    }

    /// Returns the seed of the game.
    pub(super) fn seed(&self) -> anyhow::Result<u32> {
        match self.seed {
            Some(seed) => Ok(seed),
            None => Ok(getrandom::u32()?),
        }
    }

    /// Returns the side of the person.
    pub(super) fn side(&self, seed: u32) -> Color {
        match self.side {
            SideChoice::Black => Color::Black,
            SideChoice::White => Color::White,
            // The first bits of a small seed are no coin.
            SideChoice::Random if seed.count_ones().is_multiple_of(2) => Color::Black,
            SideChoice::Random => Color::White,
        }
    }

    /// Returns the engine and its name.
    pub(super) fn opponent(&self, seed: u32) -> anyhow::Result<(Engine, String)> {
        let language = self.appearance.language();
        if let Some(command) = &self.engine {
            let engine = Engine::new(command, &self.options, PATIENCE)?;
            let name = engine.name(command);
            return Ok((engine, name));
        }
        let mut own =
            vec![("SkillLevel", self.level.to_string()), ("RandomSeed", seed.to_string())];
        if self.level == 0 {
            own.push(("Threads", threads(None).to_string()));
            own.push(("USI_Hash", HASH_MIB.to_string()));
        }
        let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
        let all: Vec<_> = own.chain(self.options.iter().cloned()).collect();
        let name = match self.level {
            0 => "komadai".to_owned(),
            level => {
                language.choose(format!("komadai level {level}"), format!("komadai レベル{level}"))
            }
        };
        Ok((Engine::new("komadai", &all, PATIENCE)?, name))
    }

    /// Returns the clocks of Black and White.
    pub(super) fn controls(&self, side: Color) -> [TimeControl; 2] {
        let own = TimeControl {
            main: self.time.unwrap_or_default(),
            byoyomi: self.byoyomi.unwrap_or_default(),
            increment: self.increment.unwrap_or_default(),
            ..TimeControl::default()
        };
        let mut engine = TimeControl { nodes: self.nodes, move_time: self.seconds, ..own.clone() };
        let is_level = self.engine.is_none() && self.level > 0;
        if engine.is_unlimited() && !is_level {
            engine.move_time = Some(USUAL_TIME);
        }
        match side {
            Color::Black => [own, engine],
            Color::White => [engine, own],
        }
    }

    /// Returns the time of a move beside the main time.
    pub(super) fn time_of_a_move(&self) -> Duration {
        self.byoyomi.unwrap_or_default() + self.increment.unwrap_or_default()
    }

    pub(super) fn style(&self) -> Style {
        let language = self.appearance.language();
        self.style.unwrap_or(language.choose(Style::Letters, Style::Kanji))
    }
}

/// Reads the name of a handicap: its English name, its number of pieces, or the word of a record.
fn read_handicap(text: &str) -> Result<Handicap, String> {
    let letters = |text: &str| text.to_ascii_lowercase().replace(['-', ' '], "");
    let has_name = |handicap: &Handicap| letters(&format!("{handicap:?}")) == letters(text);
    Handicap::from_kif_name(text)
        .or_else(|| Handicap::from_jkf_preset(&text.to_ascii_uppercase()))
        .or_else(|| Handicap::ALL.into_iter().find(has_name))
        .ok_or_else(|| {
            "expected lance, right-lance, bishop, rook, rook-lance, 2, 3, 4, 5, 5_L, 6, 7_L, 7_R, 8, 10, or a \
             name such as 二枚落ち"
                .to_owned()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handicaps_have_names_and_numbers() {
        for (text, handicap) in [
            ("二枚落ち", Handicap::TwoPiece),
            ("2", Handicap::TwoPiece),
            ("two-piece", Handicap::TwoPiece),
            ("rook-lance", Handicap::RookLance),
            ("Lance", Handicap::Lance),
            ("5_l", Handicap::LeftFivePiece),
            ("hirate", Handicap::Hirate),
        ] {
            assert_eq!(read_handicap(text), Ok(handicap), "{text}");
        }
        for text in ["", "1", "queen", "九枚落ち", "OTHER"] {
            assert!(read_handicap(text).is_err(), "{text}");
        }
    }
}
