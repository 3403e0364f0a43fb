//! Reports on compositions in words.

use core::fmt;

use komadai_core::{Language, Move, Position};

use super::cook::Cook;
use super::lengths::Lengths;
use super::options::{CompositionError, Convention, MAX_LENGTH};
use super::report::CompositionReport;

impl CompositionReport {
    /// Returns the report in a language, a line for each flaw, with the names that `name` gives to
    /// moves; `position` is that of the problem.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Language, Position};
    /// use komadai_problems::composition::{self, CompositionOptions};
    ///
    /// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
    /// let report = composition::analyse(&position, &CompositionOptions::default())?;
    /// let text = report.text(&position, Language::Japanese, |_, m| m.to_string());
    /// assert!(text.starts_with("15手詰（全応手を数えると15手）\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn text(
        &self,
        position: &Position,
        language: Language,
        name: impl Fn(&Position, Move) -> String,
    ) -> String {
        let mut positions = vec![position.without_history()];
        for &m in self.line.iter() {
            positions.push(positions[positions.len() - 1].after(m));
        }
        let names = |ply: u32, moves: &[Move]| {
            // The moves of a flaw are made in place of a move of the line.
            let at = positions.get(ply.saturating_sub(1) as usize);
            let named = moves.iter().map(|&m| at.map_or_else(|| m.to_string(), |at| name(at, m)));
            named.collect::<Vec<_>>().join(" ")
        };
        let mut text = String::new();
        // A string takes every text.
        let _ = self.write(language, &names, &mut text);
        text
    }

    /// Writes the report; `names` are those of moves that are made in place of one of the line.
    fn write(
        &self,
        language: Language,
        names: &dyn Fn(u32, &[Move]) -> String,
        f: &mut dyn fmt::Write,
    ) -> fmt::Result {
        let Lengths { strict, literature, .. } = self.lengths;
        let line: Vec<String> = (1..)
            .zip(self.line.iter())
            .map(|(ply, m)| names(ply, core::slice::from_ref(m)))
            .collect();
        let (line, length) = (line.join(" "), self.line.len());
        match language {
            Language::English => {
                let plies =
                    |plies: Option<u32>| plies.map_or("not proven".into(), |n| n.to_string());
                let counted = match self.convention {
                    Convention::Strict => "every reply counts",
                    Convention::Literature => "futile interpositions (無駄合) do not count",
                };
                writeln!(f, "mate in {} plies (strict: {})", plies(literature), plies(strict))?;
                writeln!(f, "counted below: {counted}")?;
                let name = if self.is_intended { "intended line" } else { "main line (本手順)" };
                writeln!(f, "{name}, {length} plies: {line}")?;
            }
            Language::Japanese => {
                let plies =
                    |plies: Option<u32>| plies.map_or("未確認".into(), |n| format!("{n}手"));
                let counted = match self.convention {
                    Convention::Strict => "すべての応手を数える",
                    Convention::Literature => "無駄合は数えない",
                };
                let strict = plies(strict);
                writeln!(f, "{}詰（全応手を数えると{strict}）", plies(literature))?;
                writeln!(f, "以下の数え方：{counted}")?;
                let name = if self.is_intended { "作意" } else { "本手順" };
                writeln!(f, "{name}（{length}手）：{line}")?;
            }
        }
        self.write_leftover(language, f)?;
        for cook in &self.cooks {
            cook.write(language, &names(cook.ply, &cook.moves), f)?;
            writeln!(f)?;
        }
        for checks in self.unsettled.chunk_by(|a, b| a.0 == b.0) {
            let (ply, longer) = (checks[0].0, self.longer_by);
            let moves: Vec<Move> = checks.iter().map(|&(_, m)| m).collect();
            let moves = names(ply, &moves);
            match language {
                Language::English => writeln!(
                    f,
                    "move {ply}: no mate within {longer} plies more, longer ones open: {moves}"
                )?,
                Language::Japanese => {
                    writeln!(f, "{ply}手目：{longer}手長くても詰まない。それ以上は未確認：{moves}")?
                }
            }
        }
        f.write_str(&self.verdict(language))
    }

    fn write_leftover(&self, language: Language, f: &mut dyn fmt::Write) -> fmt::Result {
        if self.leftover.is_empty() {
            return Ok(());
        }
        f.write_str(language.choose("pieces left in hand (駒余り):", "駒余り："))?;
        for (number, (kind, count)) in self.leftover.iter().enumerate() {
            match language {
                Language::English => write!(f, " {count} {kind:?}")?,
                Language::Japanese => {
                    let comma = if number == 0 { "" } else { "、" };
                    write!(f, "{comma}{} {count} 枚", kind.to_kanji())?;
                }
            }
        }
        writeln!(f)
    }

    fn verdict(&self, language: Language) -> String {
        let from = self.examined_from;
        match (self.is_complete(), self.is_sound()) {
            (false, _) => language.choose(
                format!("the budget was spent: moves before {from} not examined"),
                format!("探索量の上限に達した：{from}手目より前は未検査"),
            ),
            (true, true) if self.unsettled.is_empty() => {
                language.choose("sound", "完全作").to_owned()
            }
            (true, true) => {
                language.choose("sound as far as searched", "探索した範囲では完全作").to_owned()
            }
            (true, false) => language.choose("not sound", "不完全作").to_owned(),
        }
    }
}

/// The report in English with moves in USI, a line for each flaw.
impl fmt::Display for CompositionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Language::English, &usi_names, f)
    }
}

fn usi_names(_: u32, moves: &[Move]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

impl Cook {
    fn write(&self, language: Language, moves: &str, f: &mut dyn fmt::Write) -> fmt::Result {
        let (ply, kind, japanese, plies) = (self.ply, self.kind, self.kind.japanese(), self.plies);
        match language {
            Language::English => {
                write!(f, "move {ply}: {kind} ({japanese}): {moves}, {plies} plies in all")
            }
            Language::Japanese => write!(f, "{ply}手目 {japanese}：{moves}（全{plies}手）"),
        }
    }
}

/// The flaw in English with moves in USI.
impl fmt::Display for Cook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Language::English, &usi_names(self.ply, &self.moves), f)
    }
}

impl CompositionError {
    /// Returns the reason in a language; `Display` writes it in English.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Language;
    /// use komadai_problems::composition::CompositionError;
    ///
    /// let error = CompositionError::IntendedLine { ply: 3 };
    /// assert_eq!(error.text(Language::Japanese), "作意の3手目では詰まない");
    /// assert_eq!(error.text(Language::English), error.to_string());
    /// ```
    pub fn text(&self, language: Language) -> String {
        let japanese = match self {
            Self::NoMate => "詰みなし".to_owned(),
            Self::Budget => "結果が出る前に探索量の上限に達した".to_owned(),
            Self::TooLong { plies } => {
                format!("{plies}手以内の詰み。{MAX_LENGTH}手を超えるものは検討しない")
            }
            Self::IntendedLine { ply } => format!("作意の{ply}手目では詰まない"),
        };
        language.choose(self.to_string(), japanese)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composition::{CompositionOptions, analyse};

    #[test]
    fn reports_are_in_both_languages() {
        let sfen = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";
        let position = Position::from_sfen(sfen).unwrap();
        let report = analyse(&position, &CompositionOptions::default()).unwrap();
        let usi = |_: &Position, m: Move| m.to_string();
        assert_eq!(report.text(&position, Language::English, usi), report.to_string());
        let japanese = report.text(&position, Language::Japanese, usi);
        assert_eq!(japanese.lines().count(), report.to_string().lines().count());
        assert!(japanese.contains("1手目 余詰：3c4b（全13手）"), "{japanese}");
        assert!(japanese.ends_with("不完全作"), "{japanese}");
        assert!(!japanese.contains("plies") && !japanese.contains("move"), "{japanese}");
        // The positions of the names are those before the moves.
        let sides = |position: &Position, _: Move| format!("{:?}", position.side());
        let text = report.text(&position, Language::Japanese, sides);
        assert!(text.contains("：Black White Black"), "{text}");
    }
}
