//! The checks of positions and of `go`.

use std::time::Duration;

use komadai_movegen::MoveGen as _;

use crate::conformance::bench::Bench;
use crate::conformance::check::Check;
use crate::conformance::evidence::Evidence;
use crate::conformance::place::Place;
use crate::conformance::report::Outcome;
use crate::conformance::search::{Question, Search, Signal, ask, mates};
use crate::conformance::setup::survives;
use crate::info::Info;
use crate::message::{BestMove, Checkmate, EngineMessage};
use crate::option::OptionKind;

/// Number of moves of the long game: more than in the longest games of tournaments.
const LONG_GAME: usize = 512;

/// Number of lines that are asked for.
const LINES: i64 = 3;

/// Makes all checks of this file.
pub(super) fn check(bench: &mut Bench<'_>) {
    positions(bench);
    limited(bench);
    timed(bench);
    held(bench);
    mate_searches(bench);
    search_moves(bench);
    bench.end();
    endings(bench);
    mate_signs(bench);
    multi_pv(bench);
    determinism(bench);
    bench.end();
}

fn nodes(bench: &Bench<'_>) -> String {
    format!("nodes {}", bench.limits.nodes)
}

/// Searches a number of nodes, which an engine may not know as a limit: only the answer counts.
fn search(bench: &mut Bench<'_>, place: &Place) -> Result<Search, Option<Evidence>> {
    let question = Question::new(place, nodes(bench), bench.limits.wait);
    ask(bench, &question)
}

/// Adds the result of a search for which any good answer will do.
fn any_answer(bench: &mut Bench<'_>, check: Check, place: &Place) {
    bench.begin(check);
    match search(bench, place) {
        Ok(search) => bench.pass(check, Evidence::line(&search.said)),
        Err(found) => bench.fail_if(check, found),
    }
}

fn positions(bench: &mut Bench<'_>) {
    any_answer(bench, Check::PositionStart, &Place::opening());
    any_answer(bench, Check::PositionSfen, &Place::handicap());
    any_answer(bench, Check::PositionLongGame, &Place::long_game(LONG_GAME));
    bench.begin(Check::PositionIllegal);
    if bench.say("position startpos moves 7g7f 7g7f 3c3d") {
        survives(bench, Check::PositionIllegal, Evidence::new("survived", "動き続けた"));
    }
}

/// Searches to a number of nodes and to a depth.
fn limited(bench: &mut Bench<'_>) {
    let place = Place::opening();
    let depth = format!("depth {}", bench.limits.depth);
    for (check, limits) in [(Check::GoNodes, nodes(bench)), (Check::GoDepth, depth)] {
        bench.begin(check);
        let question = Question::new(&place, limits, bench.limits.wait);
        match ask(bench, &question) {
            Ok(search) if search.was_stopped => bench.fail(check, needed_stop()),
            Ok(search) => {
                judge_score(bench, &search.reports);
                let nodes = search.reports.iter().filter_map(|info| info.nodes).max();
                let most = bench.limits.nodes.saturating_mul(10).saturating_add(100_000);
                let found = match nodes {
                    Some(nodes) => Evidence::count(nodes, "nodes", "ノード数"),
                    None => Evidence::took(search.took),
                };
                let is_kept = check != Check::GoNodes || nodes.is_none_or(|nodes| nodes <= most);
                let outcome = if is_kept { Outcome::Pass } else { Outcome::Fail };
                bench.findings.add(check, outcome, found);
            }
            Err(found) => bench.fail_if(check, found),
        }
    }
}

fn judge_score(bench: &mut Bench<'_>, reports: &[Info]) {
    let scored = reports.iter().rfind(|info| info.score.is_some() && !info.pv().is_empty());
    match scored {
        Some(info) => bench.pass(Check::InfoScore, Evidence::line(&format!("info {info}"))),
        None => {
            bench.fail(Check::InfoScore, Evidence::new("no score with pv", "score と pv がない"))
        }
    }
}

fn needed_stop() -> Evidence {
    Evidence::new("answered only after stop", "stop の後にやっと答えた")
}

/// Searches under clocks, whose time may not be exceeded.
fn timed(bench: &mut Bench<'_>) {
    let time = bench.limits.time;
    let ms = time.as_millis();
    let increment = ms / 4;
    let cases = [
        (Check::GoMoveTime, format!("movetime {ms}"), time),
        (Check::GoByoyomi, format!("btime 0 wtime 0 byoyomi {ms}"), time),
        (Check::GoClock, format!("btime {0} wtime {0}", 4 * ms), 4 * time),
        (
            Check::GoIncrement,
            format!("btime {0} wtime {0} binc {increment} winc {increment}", 2 * ms),
            2 * time + time / 4,
        ),
        (Check::GoZeroTime, "btime 0 wtime 0 byoyomi 0".to_owned(), Duration::ZERO),
    ];
    let place = Place::opening();
    for (check, limits, allowed) in cases {
        bench.begin(check);
        let question = Question::new(&place, limits, allowed + bench.limits.margin);
        match ask(bench, &question) {
            Ok(search) => judge_time(bench, check, allowed, &search),
            Err(found) => bench.fail_if(check, found),
        }
    }
}

fn judge_time(bench: &mut Bench<'_>, check: Check, allowed: Duration, search: &Search) {
    let (took, limit) = (search.took.as_millis(), allowed.as_millis());
    let found =
        Evidence::new(format!("{took} ms of {limit} ms"), format!("{limit} ms 中 {took} ms"));
    let is_kept = !search.was_stopped && search.took <= allowed + bench.limits.margin;
    let outcome = if is_kept { Outcome::Pass } else { Outcome::Fail };
    bench.findings.add(check, outcome, found);
}

/// Searches that wait for a signal.
fn held(bench: &mut Bench<'_>) {
    let ms = bench.limits.time.as_millis();
    let ponder = format!("ponder btime 0 wtime 0 byoyomi {ms}");
    let cases = [
        (Check::GoInfinite, "infinite".to_owned(), Signal::Stop, Duration::ZERO),
        (Check::GoPonderHit, ponder.clone(), Signal::PonderHit, bench.limits.time),
        (Check::GoPonderStop, ponder, Signal::Stop, Duration::ZERO),
    ];
    let place = Place::opening();
    for (check, limits, signal, allowed) in cases {
        bench.begin(check);
        let wait = allowed + bench.limits.margin;
        let question = Question { signal, ..Question::new(&place, limits, wait) };
        match ask(bench, &question) {
            Ok(search) if search.is_early => {
                let found = Evidence::fault(&search.said, "too early", "早すぎる");
                bench.fail(check, found);
                bench.end();
            }
            Ok(search) => judge_time(bench, check, allowed, &search),
            Err(found) => bench.fail_if(check, found),
        }
    }
}

fn mate_searches(bench: &mut Bench<'_>) {
    let limits = format!("mate {}", bench.limits.time.as_millis());
    let wait = bench.limits.time + bench.limits.margin;
    let cases = [
        (Check::GoMate, Place::black_mates()),
        (Check::GoNoMate, Place::opening()),
        (Check::PositionOneKing, Place::one_king()),
    ];
    for (check, place) in cases {
        bench.begin(check);
        let question = Question::new(&place, limits.clone(), wait);
        let search = match ask(bench, &question) {
            Ok(search) => search,
            Err(found) => {
                // Only the process has to survive a position that a playing engine may not know.
                match found {
                    Some(found) if check == Check::PositionOneKing && bench.is_running() => {
                        survives(bench, check, found);
                    }
                    found => bench.fail_if(check, found),
                }
                continue;
            }
        };
        let is_right = match &search.answer {
            EngineMessage::Checkmate(Checkmate::NoMate) => check == Check::GoNoMate,
            EngineMessage::Checkmate(Checkmate::Mate(_)) => check != Check::GoNoMate,
            _ => true,
        };
        let outcome = if is_right { Outcome::Pass } else { Outcome::Fail };
        bench.findings.add(check, outcome, Evidence::line(&search.said));
    }
}

fn search_moves(bench: &mut Bench<'_>) {
    bench.begin(Check::GoSearchMoves);
    let place = Place::opening();
    let limits = format!("{} searchmoves 9g9f 1g1f", nodes(bench));
    let question = Question::new(&place, limits, bench.limits.wait);
    if let Ok(search) = ask(bench, &question) {
        // Not part of the protocol by Shogidokoro, so that other moves break no rule.
        let is_kept = search.best().is_some_and(|m| ["9g9f", "1g1f"].contains(&&*m.to_string()));
        let outcome = if is_kept { Outcome::Pass } else { Outcome::Note };
        bench.findings.add(Check::GoSearchMoves, outcome, Evidence::line(&search.said));
    }
}

/// Positions without legal moves, and positions that are won by declaration or nearly so.
fn endings(bench: &mut Bench<'_>) {
    bench.begin(Check::NoLegalMove);
    match search(bench, &Place::no_move()) {
        Ok(search) => {
            let resigns = search.answer == EngineMessage::BestMove(BestMove::Resign);
            let outcome = if resigns { Outcome::Pass } else { Outcome::Fail };
            bench.findings.add(Check::NoLegalMove, outcome, Evidence::line(&search.said));
        }
        Err(found) => bench.fail_if(Check::NoLegalMove, found),
    }
    bench.begin(Check::Declaration);
    for place in [Place::declared(), Place::not_declared()] {
        if let Ok(search) = search(bench, &place)
            && search.best().is_some()
        {
            bench.pass(Check::Declaration, Evidence::line(&search.said));
        }
    }
    if !bench.findings.has_failed(Check::Resignation) {
        let found = Evidence::new("no open position was resigned", "互角の局面で投了しなかった");
        bench.pass(Check::Resignation, found);
    }
}

/// Mates for either side, and a position that is mated.
fn mate_signs(bench: &mut Bench<'_>) {
    bench.begin(Check::MateSign);
    let check = Check::MateSign;
    let cases = [
        (Place::black_mates(), true),
        (Place::white_mates(), true),
        (Place::white_is_mated(), false),
    ];
    for (place, is_good) in cases {
        let Ok(search) = search(bench, &place) else { continue };
        for (score, found_good) in mates(&search.reports) {
            let line = Evidence::line(&format!("score {score}"));
            if found_good == is_good {
                bench.pass(check, line);
            } else {
                bench.fail(check, line);
            }
        }
    }
    // Mates also show whether engines that report none have other faults; that is no fault.
}

/// Asks for several lines, also where there are fewer moves.
fn multi_pv(bench: &mut Bench<'_>) {
    bench.begin(Check::MultiPv);
    let check = Check::MultiPv;
    if bench.ready().is_none() {
        return;
    }
    let known = ["USI_MultiPV", "MultiPV"].into_iter().find_map(|name| bench.option(name));
    let most = |kind: &OptionKind| match kind {
        OptionKind::Spin { max, .. } if *max > 1 => Some(LINES.min(*max)),
        _ => None,
    };
    let option = known.and_then(|option| Some((option.name.clone(), most(&option.kind)?)));
    let Some((name, lines)) = option else {
        return bench.skip(check, Evidence::new("no option MultiPV", "MultiPV オプションなし"));
    };
    bench.say(&format!("setoption name {name} value {lines}"));
    if let Err(found) = bench.is_alive() {
        return bench.fail(check, found);
    }
    for place in [Place::opening(), Place::white_is_mated()] {
        let legal = place.position.legal_moves().len();
        let most = legal.min(lines as usize) as u32;
        match search(bench, &place) {
            Ok(search) => judge_ranks(bench, &search.reports, most),
            Err(found) => return bench.fail_if(check, found),
        }
    }
    bench.end();
}

/// Judges the ranks of the lines of a search; all up to `most` are expected.
fn judge_ranks(bench: &mut Bench<'_>, reports: &[Info], most: u32) {
    let lines = reports.iter().filter(|info| !info.pv().is_empty() && info.score.is_some());
    let ranks: Vec<u32> = lines.map(|info| info.multi_pv.unwrap_or(1)).collect();
    let is_gap = |pair: &&[u32]| !(pair[1] == 1 || pair[1] == pair[0] || pair[1] == pair[0] + 1);
    let gap = ranks.windows(2).find(is_gap).map(|pair| pair[1]);
    let first = ranks.first().copied().filter(|&rank| rank != 1);
    let beyond = ranks.iter().copied().find(|&rank| rank == 0 || rank > most);
    match beyond.or(first).or(gap) {
        Some(rank) => {
            let found = format!("multipv {rank}");
            bench.fail(Check::MultiPv, Evidence::line(&found));
        }
        None if ranks.iter().max().is_some_and(|&found| found < most) => {
            let found =
                Evidence::count(ranks.len() as u64, "lines, not all ranks", "行、順位が足りない");
            bench.fail(Check::MultiPv, found);
        }
        None => {
            let found = format!("multipv 1 … {most}");
            bench.pass(Check::MultiPv, Evidence::line(&found));
        }
    }
}

/// Searches the same position twice in new games on one thread.
fn determinism(bench: &mut Bench<'_>) {
    bench.begin(Check::Determinism);
    let place = Place::handicap();
    let mut found = Vec::new();
    for _ in 0..2 {
        bench.end();
        if bench.ready().is_none() {
            return;
        }
        if bench.option("Threads").is_some() {
            bench.say("setoption name Threads value 1");
        }
        if bench.is_alive().is_err() || !bench.say("usinewgame") {
            return;
        }
        let Ok(search) = search(bench, &place) else { return };
        let nodes = search.reports.iter().filter_map(|info| info.nodes).next_back();
        found.push((search.said, nodes));
    }
    let evidence = if found[0] == found[1] {
        Evidence::new(format!("the same: {}", found[0].0), format!("同じ：{}", found[0].0))
    } else {
        let [(first, _), (second, _)] = [&found[0], &found[1]];
        Evidence::new(format!("{first}, then {second}"), format!("{first}、次に {second}"))
    };
    bench.note(Check::Determinism, evidence);
}
