//! The language of the output.

use komadai::core::{self, Color, Handicap, Setup};
use komadai::kifu::EndKind;

/// The language of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// Japanese.
    Ja,
    /// English.
    En,
}

impl From<core::Language> for Language {
    fn from(language: core::Language) -> Self {
        language.choose(Self::En, Self::Ja)
    }
}

impl Language {
    /// Returns the language of names, graphs and pages.
    pub(super) fn of_texts(self) -> core::Language {
        self.choose(core::Language::English, core::Language::Japanese)
    }

    pub(super) fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Self::En => english,
            Self::Ja => japanese,
        }
    }

    /// Returns the name of a side; that of a handicap game is another one in Japanese.
    pub(super) fn side(self, color: Color, start: &Setup) -> &'static str {
        let is_handicap =
            Handicap::from_setup(start).is_some_and(|handicap| handicap != Handicap::Hirate);
        match (color, is_handicap) {
            (Color::Black, false) => self.choose("Black", "先手"),
            (Color::White, false) => self.choose("White", "後手"),
            (Color::Black, true) => self.choose("Black", "下手"),
            (Color::White, true) => self.choose("White", "上手"),
        }
    }

    /// Returns the words for the end of a game from this start with `side` to move.
    pub(super) fn end(self, end: &EndKind, side: Color, start: &Setup) -> String {
        let to_move = self.side(side, start);
        let words = match end {
            EndKind::Resign => self.choose("resigns", "投了"),
            EndKind::Checkmate => self.choose("is checkmated", "詰み"),
            EndKind::NoMate => self.choose("no mate", "不詰"),
            EndKind::TimeUp => self.choose("loses on time", "切れ負け"),
            EndKind::IllegalLoss => self.choose("loses by a foul", "反則負け"),
            EndKind::IllegalWin => self.choose("wins by a foul", "反則勝ち"),
            EndKind::PerpetualCheckLoss => {
                self.choose("loses by perpetual check", "連続王手の千日手")
            }
            EndKind::PerpetualCheckWin => {
                self.choose("wins by perpetual check", "連続王手の千日手")
            }
            EndKind::EnteringKingWin => self.choose("declares a win", "入玉勝ち"),
            EndKind::Repetition => self.choose("repetition", "千日手"),
            EndKind::Impasse => self.choose("impasse", "持将棋"),
            EndKind::Draw => self.choose("draw", "引き分け"),
            EndKind::MaxMoves => self.choose("maximum number of moves", "最大手数"),
            EndKind::Interrupt => self.choose("interrupted", "中断"),
            EndKind::Error => self.choose("error", "エラー"),
            EndKind::Win { winner, reason } => {
                let winner = self.side(*winner, start);
                return match self {
                    Self::En => format!("{winner} wins ({reason})"),
                    Self::Ja => format!("{winner}の勝ち（{reason}）"),
                };
            }
            EndKind::Other(text) => text,
            _ => "",
        };
        let is_of_side = matches!(
            end,
            EndKind::Resign
                | EndKind::Checkmate
                | EndKind::TimeUp
                | EndKind::IllegalLoss
                | EndKind::IllegalWin
                | EndKind::PerpetualCheckLoss
                | EndKind::PerpetualCheckWin
                | EndKind::EnteringKingWin
        );
        match self {
            Self::En if is_of_side => format!("{to_move} {words}"),
            _ => words.to_owned(),
        }
    }
}
