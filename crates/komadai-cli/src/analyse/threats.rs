//! The threats of mate (詰めろ, 二手スキ) and the defences (受け) of a game, with their proofs.

use std::io::{self, Write};

use komadai::core::{Move, Position};

use super::game_text::{GameText, MoveText};
use super::language::Language;

/// Writes the threats and defences of all moves that have some.
pub(super) fn write(out: &mut impl Write, text: &GameText<'_>) -> io::Result<()> {
    let mut is_first = true;
    for row in &text.moves {
        let lines = text.threats(row);
        if lines.is_empty() {
            continue;
        }
        if is_first {
            let heading = "Threats of mate and defences, proven by the mate solver";
            writeln!(
                out,
                "\n{}",
                text.language.choose(heading, "詰めろ・二手スキ・受け（詰将棋解図による証明）")
            )?;
            is_first = false;
        }
        writeln!(out, "{}. {}  {}", row.ply.ply, row.name, lines.join("; "))?;
    }
    Ok(())
}

impl GameText<'_> {
    /// Returns the mates that a move threatens or parries, each with its moves, and the predicted
    /// probability of a threat beside a proven one. The list is empty for a move without any.
    pub(super) fn threats(&self, row: &MoveText<'_>) -> Vec<String> {
        let mut lines = Vec::new();
        let Some(played) = row.ply.played else { return lines };
        let after = row.position.after(played);
        if let Some(mate) = &row.after.threatmate {
            let mate = self.line_after_pass(&after, mate);
            lines.push(match self.language {
                Language::En => format!("threatmate {mate}"),
                Language::Ja => format!("詰めろ {mate}"),
            });
        }
        if let Some(threat) = &row.after.two_move_threat {
            let first = self.line_after_pass(&after, &[threat.first]);
            let mate = self.notation.line(&threat.before_mate(&after), &threat.mate);
            lines.push(match self.language {
                Language::En => format!("two-move threat {first}, then {mate}"),
                Language::Ja => format!("二手スキ {first} から {mate}"),
            });
        }
        if let Some(mate) = row.ply.parried_mate(row.after) {
            let mate = self.line_after_pass(&row.position, mate);
            lines.push(match self.language {
                Language::En => format!("defence against {mate}"),
                Language::Ja => format!("受け {mate} を防ぐ"),
            });
        }
        if let Some(probability) = row.after.threat_probability.filter(|_| !lines.is_empty()) {
            let percent = probability * 100.0;
            lines.push(match self.language {
                Language::En => format!("predicted threatmate {percent:.0} %"),
                Language::Ja => format!("詰めろの予測 {percent:.0}%"),
            });
        }
        lines
    }

    /// Returns the names of a line of the opponent of the side to move, which passes before it.
    fn line_after_pass(&self, position: &Position, line: &[Move]) -> String {
        let mut passed = position.without_history();
        passed.do_null_move();
        self.notation.line(&passed, line)
    }
}
