//! The mistakes of a game in words: what the evaluation sees at the end of the line played.

use std::io::{self, Write};

use komadai::analysis::game_analysis::{Judgement, MoveExplanation};
use komadai::core::{Move, Score};
use komadai::eval::Group;

use super::game_text::{GameText, MoveText, loss};
use super::language::Language;

/// Smallest difference of a group that is named, in centipawns.
const LEAST: f32 = 30.0;

/// Largest number of groups that are named.
const GROUPS: usize = 3;

/// Largest number of moves of a line that are printed.
const SHOWN_MOVES: usize = 8;

/// An explained move.
pub(super) struct Explained {
    /// The index of the move among those analysed.
    pub(super) index: usize,
    pub(super) explanation: MoveExplanation,
}

/// Explains the mistakes and blunders of a game.
pub(super) fn explain(text: &GameText<'_>) -> Vec<Explained> {
    let is_bad = |row: &MoveText<'_>| row.ply.judgement >= Some(Judgement::Mistake);
    let bad = text.moves.iter().enumerate().filter(|(_, row)| is_bad(row));
    bad.filter_map(|(index, row)| {
        let played: Vec<Move> =
            [row.ply.played?].into_iter().chain(row.after.pv.iter().copied()).collect();
        let explanation = MoveExplanation::new(&row.position, &row.ply.pv, &played);
        Some(Explained { index, explanation })
    })
    .collect()
}

/// Writes the explanations, a paragraph each.
pub(super) fn write(
    out: &mut impl Write,
    text: &GameText<'_>,
    explanations: &[Explained],
) -> io::Result<()> {
    for explained in explanations {
        let row = &text.moves[explained.index];
        let mark = row.ply.judgement.map_or("", |judgement| judgement.mark());
        let loss = loss(row.ply);
        let lost = match text.language {
            Language::En => format!("loses {loss}"),
            Language::Ja => format!("損失 {loss}"),
        };
        writeln!(out, "\n{}. {} {mark}  {lost}", row.ply.ply, row.name)?;
        let [best, played] = text.language.choose(["best:  ", "played:"], ["最善:", "実戦:"]);
        let MoveExplanation { best: good, played: bad, .. } = &explained.explanation;
        writeln!(out, "  {best} {}", shown(text, row, good))?;
        writeln!(out, "  {played} {}", shown(text, row, bad))?;
        writeln!(out, "  {}", reason(text, row, &explained.explanation))?;
    }
    Ok(())
}

/// Returns the first moves of a line.
fn shown(text: &GameText<'_>, row: &MoveText<'_>, line: &[Move]) -> String {
    let first = &line[..line.len().min(SHOWN_MOVES)];
    let rest = if first.len() < line.len() { " …" } else { "" };
    format!("{}{rest}", text.line(row, first))
}

/// Returns the reason for the loss: a mate, or the groups of terms that became worse.
fn reason(text: &GameText<'_>, row: &MoveText<'_>, explanation: &MoveExplanation) -> String {
    let after = row.after.score.map(|score| -score);
    if let Some(mated) = after.filter(|after| after.is_mate() && *after < Score::ZERO) {
        return match (text.language, mated.mate_plies()) {
            (Language::En, Some(plies)) => format!("It allows a mate in {}.", plies.abs()),
            (Language::En, None) => "It allows a mate.".to_owned(),
            (Language::Ja, Some(plies)) => format!("{}手で詰まされる。", plies.abs()),
            (Language::Ja, None) => "詰まされる。".to_owned(),
        };
    }
    if let Some(plies) =
        row.ply.score.filter(|best| *best > Score::ZERO).and_then(Score::mate_plies)
    {
        return match text.language {
            Language::En => format!("It misses a mate in {plies}."),
            Language::Ja => format!("{plies}手の詰みを逃した。"),
        };
    }
    let named: Vec<String> =
        worse(text, explanation).map(|(name, value)| format!("{name} {value:+.0}")).collect();
    match (text.language, named.is_empty()) {
        (Language::En, true) => {
            "The static evaluation sees no difference; the search does.".to_owned()
        }
        (Language::Ja, true) => "静的評価には差がなく、読みによる差。".to_owned(),
        (Language::En, false) => format!("Worse at the end of the line: {}.", named.join(", ")),
        (Language::Ja, false) => format!("読み筋の先で劣るもの: {}。", named.join("、")),
    }
}

/// Returns the groups that became worse with their values, the worst first. Pieces on the board and
/// in hand are one group here, as each capture moves them from one to the other; the right to move
/// is absent, as the ends of two lines may differ in it.
fn worse<'t>(
    text: &GameText<'t>,
    explanation: &MoveExplanation,
) -> impl Iterator<Item = (&'t str, f32)> + use<'t> {
    let is_material = |group: Group| matches!(group, Group::Piece | Group::Hand);
    let material = explanation.groups.iter().filter(|change| is_material(change.group));
    let material: f32 = material.map(|change| change.value).sum();
    let others = explanation.groups.iter();
    let others = others.filter(|change| !is_material(change.group) && change.group != Group::Tempo);
    let language = text.language.of_texts();
    let named = others.map(|change| (change.group.label(language), change.value));
    let mut named: Vec<(&str, f32)> =
        named.chain([(text.language.choose("material", "駒の損得"), material)]).collect();
    named.retain(|(_, value)| *value <= -LEAST);
    named.sort_by(|a, b| a.1.total_cmp(&b.1));
    named.into_iter().take(GROUPS)
}
