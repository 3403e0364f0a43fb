//! A search of an engine under test, with all that can be judged of any search.

use std::time::Duration;

use komadai_base::clock::Instant;
use komadai_core::{Position, Score};
use komadai_movegen::{DeclarationRule, MoveGen};

use crate::conformance::bench::{Bench, is_answer};
use crate::conformance::check::Check;
use crate::conformance::dialogue::{Loss, TimedLine};
use crate::conformance::evidence::Evidence;
use crate::conformance::info_syntax;
use crate::conformance::place::Place;
use crate::info::Info;
use crate::message::{BestMove, Checkmate, EngineMessage, says_no_move};
use crate::option::OptionKind;

/// Time after an answer in which a second one would come.
const SETTLE: Duration = Duration::from_millis(30);

/// Maximum number of `info` lines of a search that are judged.
const MOST_JUDGED: usize = 2_000;

/// The command that ends a search, sent after the hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// The search ends by itself.
    None,
    Stop,
    PonderHit,
}

/// The form in which the lines are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Plain,
    /// With CR before LF.
    CarriageReturn,
    /// With two blanks for one.
    Blanks,
}

/// A search to ask for.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) place: &'a Place,
    /// The words after `go`.
    pub(super) limits: String,
    pub(super) signal: Signal,
    /// Maximum time to the answer, from `go` or from the signal.
    pub(super) wait: Duration,
    pub(super) form: Form,
}

/// A search that was answered.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) answer: EngineMessage,
    /// The line of the answer.
    pub(super) said: String,
    /// The time from `go` or from the signal to the answer.
    pub(super) took: Duration,
    /// True if the answer came before the signal.
    pub(super) is_early: bool,
    /// True if the answer came only after a `stop` that should not have been needed.
    pub(super) was_stopped: bool,
    pub(super) reports: Vec<Info>,
}

impl<'a> Question<'a> {
    /// Returns a search of `place` that ends by itself.
    pub(super) fn new(place: &'a Place, limits: impl Into<String>, wait: Duration) -> Self {
        Self { place, limits: limits.into(), signal: Signal::None, wait, form: Form::Plain }
    }
}

impl Search {
    /// The move that was played.
    pub(super) fn best(&self) -> Option<komadai_core::Move> {
        match &self.answer {
            EngineMessage::BestMove(best) => best.to_move(),
            _ => None,
        }
    }
}

/// Asks for a search. The answer and its reports are judged by all rules that hold for any search;
/// the rest is up to the caller. An error tells what came in place of an answer; it is `None` if
/// there is no engine left to ask.
pub(super) fn ask(
    bench: &mut Bench<'_>,
    question: &Question<'_>,
) -> Result<Search, Option<Evidence>> {
    let text = |line: String| match question.form {
        Form::Plain => line,
        Form::CarriageReturn => format!("{line}\r"),
        Form::Blanks => line.replace(' ', "  "),
    };
    let earlier = bench.listen(Duration::ZERO);
    bench.refuse_answers(&earlier);
    if !bench.say(&text(format!("position {}", question.place.text))) {
        return Err(None);
    }
    bench.say(&text(format!("go {}", question.limits)));
    let (lines, timing) = match hear(bench, question) {
        Ok(heard) => heard,
        Err(loss) => {
            bench.fail(
                Check::OneAnswer,
                Evidence::fault(&format!("go {}", question.limits), "no answer", "返答なし"),
            );
            return Err(Some(bench.lose(&loss)));
        }
    };
    let said = lines.iter().find(|(line, _)| is_answer(line));
    let said = said.map(|(line, _)| line.clone()).unwrap_or_default();
    let reports = judge_reports(bench, question.place, &lines);
    refuse_more_answers(bench);
    let answer = judge_answer(bench, question, &said).map_err(Some)?;
    let Timing { took, is_early, was_stopped } = timing;
    Ok(Search { answer, said, took, is_early, was_stopped, reports })
}

/// The times of an answer.
struct Timing {
    took: Duration,
    is_early: bool,
    was_stopped: bool,
}

/// Reads the lines up to the answer.
fn hear(bench: &mut Bench<'_>, question: &Question<'_>) -> Result<(Vec<TimedLine>, Timing), Loss> {
    let mut lines = Vec::new();
    let mut start = Instant::now();
    if question.signal != Signal::None {
        match bench.await_answer(&mut lines, bench.limits.hold) {
            Ok(()) => {
                let took = start.elapsed();
                // Sent in any case, so that the engine is as after any other search.
                send_signal(bench, question.signal);
                return Ok((lines, Timing { took, is_early: true, was_stopped: false }));
            }
            Err(Loss::Silent(_)) => {}
            Err(loss) => return Err(loss),
        }
        start = Instant::now();
        send_signal(bench, question.signal);
    }
    let mut was_stopped = false;
    match bench.await_answer(&mut lines, question.wait) {
        Err(Loss::Silent(waited)) => {
            was_stopped = true;
            bench.say("stop");
            let wait = bench.limits.wait;
            bench.await_answer(&mut lines, wait).map_err(|loss| match loss {
                Loss::Silent(more) => Loss::Silent(waited + more),
                loss => loss,
            })?;
        }
        other => other?,
    }
    let took = lines.last().map_or(start, |(_, at)| *at).saturating_duration_since(start);
    Ok((lines, Timing { took, is_early: false, was_stopped }))
}

fn send_signal(bench: &mut Bench<'_>, signal: Signal) {
    match signal {
        Signal::None => {}
        Signal::Stop => drop(bench.say("stop")),
        Signal::PonderHit => drop(bench.say("ponderhit")),
    }
}

/// Judges the `info` lines, and returns them.
fn judge_reports(bench: &mut Bench<'_>, place: &Place, lines: &[TimedLine]) -> Vec<Info> {
    let infos = lines.iter().map(|(line, _)| line.trim_ascii());
    let infos: Vec<&str> = infos.filter(|line| line.starts_with("info ")).collect();
    let mut reports = Vec::new();
    for line in infos.iter().take(MOST_JUDGED) {
        if let Some((english, japanese)) = info_syntax::fault(line) {
            bench.fail(Check::InfoSyntax, Evidence::fault(line, &english, &japanese));
        }
        let info = Info::from_usi(line.trim_start_matches("info "));
        if let Some((english, japanese)) = line_fault(&place.position, &info) {
            bench.fail(Check::LegalLine, Evidence::fault(line, &english, &japanese));
        }
        match info.hash_full {
            Some(full) if full > 1000 => bench.fail(Check::HashFull, Evidence::line(line)),
            Some(full) => bench.pass(Check::HashFull, Evidence::line(&format!("hashfull {full}"))),
            None => {}
        }
        reports.push(info);
    }
    if let Some(line) = infos.last() {
        bench.pass(Check::InfoSyntax, Evidence::line(line));
        if reports.iter().any(|info| !info.pv().is_empty()) {
            bench.pass(Check::LegalLine, Evidence::line(line));
        }
    }
    reports
}

/// Returns the first fault of a variation.
fn line_fault(position: &Position, info: &Info) -> Option<info_syntax::Fault> {
    let mut position = position.clone();
    for &m in info.pv() {
        if let Err(reason) = position.check_legality(m) {
            return Some((
                format!("{m} is illegal: {reason}"),
                format!("{m} は非合法（{reason}）"),
            ));
        }
        position.do_move(m);
    }
    None
}

/// Listens for answers after the answer.
fn refuse_more_answers(bench: &mut Bench<'_>) {
    let more = bench.listen(SETTLE);
    match more.iter().find(|(line, _)| is_answer(line)) {
        Some((line, _)) => {
            bench.fail(Check::OneAnswer, Evidence::fault(line, "a second answer", "2度目の返答"));
        }
        None => bench.pass(Check::OneAnswer, Evidence::new("one each", "各1回")),
    }
}

/// Judges the answer itself.
fn judge_answer(
    bench: &mut Bench<'_>,
    question: &Question<'_>,
    said: &str,
) -> Result<EngineMessage, Evidence> {
    let place = question.place;
    let Ok(answer) = said.parse::<EngineMessage>() else {
        let found = said.trim_ascii().strip_prefix("bestmove").unwrap_or_default();
        let check =
            if says_no_move(found.trim_ascii()) { Check::NoLegalMove } else { Check::LegalMove };
        bench.fail(check, Evidence::line(said));
        return Err(Evidence::line(said));
    };
    match &answer {
        EngineMessage::BestMove(BestMove::Move { best, ponder }) => {
            if let Err(reason) = place.position.check_legality(*best) {
                let japanese = format!("非合法（{reason}）");
                let found = Evidence::fault(said, &format!("illegal: {reason}"), &japanese);
                bench.fail(Check::LegalMove, found.clone());
                return Err(found);
            }
            bench.pass(Check::LegalMove, Evidence::line(said));
            judge_ponder(bench, said, &place.position.after(*best), *ponder);
        }
        EngineMessage::BestMove(BestMove::Resign) if place.is_open => {
            bench.fail(Check::Resignation, Evidence::fault(said, &place.text, &place.text));
        }
        EngineMessage::BestMove(BestMove::Resign) => {
            bench.pass(Check::Resignation, Evidence::line(said));
        }
        EngineMessage::BestMove(BestMove::Win) => {
            let rule = declaration_rule(bench);
            let check = Check::Declaration;
            if place.position.declaration(rule).wins() {
                bench.pass(check, Evidence::line(said));
            } else {
                bench.fail(check, Evidence::fault(said, rule.name(), rule.name()));
            }
        }
        EngineMessage::Checkmate(Checkmate::Mate(line)) => {
            judge_mate(bench, said, &place.position, line)?;
        }
        _ => {}
    }
    let asks_for_mate = question.limits.contains("mate");
    if asks_for_mate != matches!(answer, EngineMessage::Checkmate(_)) {
        return Err(Evidence::fault(said, "an answer of the wrong kind", "返答の種類が違う"));
    }
    Ok(answer)
}

fn judge_ponder(
    bench: &mut Bench<'_>,
    said: &str,
    after: &Position,
    ponder: Option<komadai_core::Move>,
) {
    let word = said.split_ascii_whitespace().skip_while(|word| *word != "ponder").nth(1);
    let Some(word) = word else { return };
    let fault = match ponder {
        None => Some(format!("{word:?} is no move")),
        Some(m) => after.check_legality(m).err().map(|reason| reason.to_string()),
    };
    match fault {
        Some(reason) => bench.fail(Check::LegalPonder, Evidence::fault(said, &reason, &reason)),
        None => bench.pass(Check::LegalPonder, Evidence::line(said)),
    }
}

/// Checks that a line of `checkmate` is legal and ends in mate.
fn judge_mate(
    bench: &mut Bench<'_>,
    said: &str,
    position: &Position,
    line: &[komadai_core::Move],
) -> Result<(), Evidence> {
    let mut position = position.clone();
    for &m in line {
        if let Err(reason) = position.check_legality(m) {
            let found = Evidence::fault(said, &reason.to_string(), &reason.to_string());
            bench.fail(Check::LegalLine, found.clone());
            return Err(found);
        }
        position.do_move(m);
    }
    if position.is_checkmate() && line.len() % 2 == 1 {
        return Ok(());
    }
    Err(Evidence::fault(said, "the line does not end in mate", "詰みで終わらない"))
}

/// The rule by which the engine declares a win.
fn declaration_rule(bench: &Bench<'_>) -> DeclarationRule {
    let name = match bench.option("EnteringKingRule").map(|option| &option.kind) {
        Some(OptionKind::Combo { default, .. } | OptionKind::String { default }) => default,
        _ => return DeclarationRule::Csa27,
    };
    let named = DeclarationRule::ALL.into_iter().find(|rule| rule.name() == name);
    named.unwrap_or(DeclarationRule::Csa27)
}

/// The mates that a search has reported, with whether they are good for the side to move.
pub(super) fn mates(reports: &[Info]) -> Vec<(Score, bool)> {
    let scores = reports.iter().filter_map(|info| info.score).filter(|score| score.is_mate());
    scores.map(|score| (score, score.raw() > 0)).collect()
}
