//! The moves of an analysed game as text.

use komadai::analysis::game_analysis::{GameAnalysis, PlyAnalysis};
use komadai::core::{Bound, Color, Move, Position, Score};
use komadai::eval::TesujiName;
use komadai::kifu::formation::Formations;
use komadai::kifu::{Notation, Record, carry_out};
use komadai_base::text::printable;
use komadai_console::{grouped, signed_score};

use super::language::Language;

/// An analysed game with the names of its moves.
pub(super) struct GameText<'g> {
    pub(super) record: &'g Record,
    pub(super) analysis: &'g GameAnalysis,
    pub(super) language: Language,
    pub(super) notation: Notation,
    pub(super) moves: Vec<MoveText<'g>>,
    /// True if records and pages have the threats of mate as comments.
    pub(super) has_threats: bool,
}

/// A move that was analysed.
pub(super) struct MoveText<'g> {
    /// The position before the move and its analysis.
    pub(super) position: Position,
    pub(super) ply: &'g PlyAnalysis,
    /// The analysis of the position after the move.
    pub(super) after: &'g PlyAnalysis,
    /// The move before, if the game has one.
    last: Option<(Position, Move)>,
    /// The move.
    pub(super) name: String,
    /// The best move.
    pub(super) best: Option<String>,
    /// The names of the move as a tesuji, and those of the best move.
    pub(super) tesuji: Vec<TesujiName>,
    pub(super) best_tesuji: Vec<TesujiName>,
}

impl<'g> GameText<'g> {
    pub(super) fn new(
        record: &'g Record,
        analysis: &'g GameAnalysis,
        notation: Notation,
        language: Language,
    ) -> Self {
        let (moves, has_threats) = (Vec::new(), false);
        let mut text = Self { record, analysis, language, notation, moves, has_threats };
        let Ok(mut position) = Position::from_setup_leniently(&record.setup) else { return text };
        let mut last = None;
        let mut made = 0;
        let mut moves = Vec::new();
        for (ply, after) in analysis.moves() {
            for played in &record.moves[made..ply.ply - 1] {
                last = Some((position.clone(), played.m));
                position.do_move(played.m);
            }
            made = ply.ply - 1;
            let Some(played) = ply.played else { break };
            let mut row = MoveText {
                position: position.clone(),
                ply,
                after,
                last: last.clone(),
                name: String::new(),
                best: None,
                tesuji: TesujiName::of(&position, played).collect(),
                best_tesuji: (ply.best_move().into_iter())
                    .flat_map(|best| TesujiName::of(&position, best))
                    .collect(),
            };
            row.name = text.line(&row, &[played]);
            row.best = ply.best_move().map(|best| text.line(&row, &[best]));
            moves.push(row);
        }
        text.moves = moves;
        text
    }

    /// Returns the name of an illegal last move that can be made on the board.
    pub(super) fn foul(&self) -> Option<String> {
        self.analysis.illegal.as_ref()?;
        let foul = self.record.moves.last()?.m;
        let before = match self.moves.last() {
            Some(row) => row.position.after(row.ply.played?),
            None => Position::from_setup_leniently(&self.record.setup).ok()?,
        };
        carry_out(&before.to_setup(), foul).ok()?;
        Some(self.notation.name(&before, foul))
    }

    /// Returns the name of a side.
    pub(super) fn side(&self, color: Color) -> &'static str {
        self.language.side(color, &self.record.setup)
    }

    /// Returns the names of the players and of the event.
    pub(super) fn title(&self) -> String {
        let language = self.language;
        let header = &self.record.header;
        let mark = |color| language.choose("", if color == Color::Black { "▲" } else { "△" });
        let player = |color| match header.player(color).map(str::trim) {
            Some(name) if !name.is_empty() => format!("{}{}", mark(color), printable(name)),
            _ => self.side(color).to_owned(),
        };
        let [black, white] = Color::ALL.map(player);
        let mut title = format!("{black}{}{white}", language.choose(" - ", " 対 "));
        if let Some(event) = header.event().filter(|event| !event.trim().is_empty()) {
            title += &format!("{}{}", language.choose(", ", "、"), printable(event.trim()));
        }
        title
    }

    /// Returns the strategies and castles of both sides, if they have names.
    pub(super) fn formations(&self) -> Option<String> {
        Formations::of(self.record).line(self.language.of_texts())
    }

    /// Returns the names of a line from the position before a move, separated by blanks.
    pub(super) fn line(&self, row: &MoveText<'_>, line: &[Move]) -> String {
        match &row.last {
            // The notation of a move depends on the target of the move before.
            Some((before, last)) => {
                let all: Vec<Move> = std::iter::once(*last).chain(line.iter().copied()).collect();
                self.notation.names(before, &all)[1..].join(" ")
            }
            None => self.notation.line(&row.position, line),
        }
    }

    /// Returns a value for people: `+35`, `≥+66`, `-mate 12`, `+詰12手`, or `-` without one.
    pub(super) fn score(&self, score: Option<Score>, bound: Bound) -> String {
        let Some(score) = score else { return "-".to_owned() };
        format!("{}{}", bound.sign(), self.exact_score(score))
    }

    fn exact_score(&self, score: Score) -> String {
        let sign = if score < Score::ZERO { '-' } else { '+' };
        match (score.to_cp(), score.mate_plies()) {
            // After the last move of a mate there is nothing to count.
            (None, Some(0)) => self.language.choose("mate", "詰み").to_owned(),
            (None, Some(plies)) => match self.language {
                Language::En => format!("{sign}mate {}", plies.abs()),
                Language::Ja => format!("{sign}詰{}手", plies.abs()),
            },
            (None, None) => format!("{sign}{}", self.language.choose("mate", "詰")),
            _ => signed_score(Some(score)),
        }
    }

    /// Returns the names of a move as a tesuji, separated by commas.
    pub(super) fn names(&self, names: &[TesujiName]) -> String {
        let language = self.language.of_texts();
        let labels: Vec<&str> = names.iter().map(|name| name.label(language)).collect();
        labels.join(self.language.choose(", ", "、"))
    }

    /// Returns the words about a move: its mark, its names as a tesuji and those of a better move,
    /// mates and threats, or the reason why there is no analysis.
    pub(super) fn remarks(&self, row: &MoveText<'_>) -> String {
        let mut words: Vec<String> = Vec::new();
        let mark = row.ply.judgement.map_or("", |judgement| judgement.mark());
        words.extend((!mark.is_empty()).then(|| mark.to_owned()));
        if !row.tesuji.is_empty() {
            words.push(self.names(&row.tesuji));
        }
        if !row.best_tesuji.is_empty() && !row.ply.is_best() {
            let names = self.names(&row.best_tesuji);
            words.push(match self.language {
                Language::En => format!("best: {names}"),
                Language::Ja => format!("最善手は{names}"),
            });
        }
        if let Some(mate) = &row.ply.mate {
            let plies = mate.len();
            words.push(match (row.ply.missed_mate, self.language) {
                (true, Language::En) => format!("misses mate in {plies}"),
                (true, Language::Ja) => format!("詰み逃し（{plies}手詰）"),
                (false, Language::En) => format!("mate in {plies}"),
                (false, Language::Ja) => format!("{plies}手詰"),
            });
        }
        if let Some(threat) = &row.after.threatmate {
            words.push(match self.language {
                Language::En => format!("threatens mate in {}", threat.len()),
                Language::Ja => format!("詰めろ（{}手詰）", threat.len()),
            });
        }
        if row.after.two_move_threat.is_some() {
            words.push(self.language.choose("two-move threat", "二手スキ").to_owned());
        }
        if let Some(mate) = row.ply.parried_mate(row.after) {
            words.push(match self.language {
                Language::En => format!("parries mate in {}", mate.len()),
                Language::Ja => format!("受け（{}手詰を防ぐ）", mate.len()),
            });
        }
        if row.ply.failure.is_some() || row.after.failure.is_some() {
            words.push(self.language.choose("not analysed", "解析失敗").to_owned());
        }
        words
            .join(self.language.choose(", ", "、"))
            .replacen("?, ", "? ", 1)
            .replacen("?、", "? ", 1)
    }
}

/// Returns the loss by a move, with the sign of its bound.
pub(super) fn loss(ply: &PlyAnalysis) -> String {
    let loss = ply.loss_cp.map_or(0, |loss| u64::from(loss.unsigned_abs()));
    format!("{}{}", ply.loss_bound.sign(), grouped(loss))
}
