//! Reports and trees against the definitions.
use std::collections::HashSet;

use komadai_core::{Budget, Color, Move, Position, SplitMix64};
use komadai_movegen::MoveGen;
use komadai_tsume::is_mating_line;

use super::naive::Definition;
use super::{
    CompositionError, CompositionOptions, CompositionReport, Convention, Cook, CookKind,
    SolutionTree, TreeState, analyse,
};
use crate::tests::random_positions::random_composition;

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("a valid position")
}

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|m| m.parse().expect("a move")).collect()
}

/// Random compositions with a mate in one or three, few enough replies for the definition.
fn short_mates(count: usize) -> Vec<(Position, u32)> {
    let mut random = SplitMix64::new(7);
    let all = std::iter::from_fn(|| Some(random_composition(&mut random))).flatten();
    let strict = Definition::of(Convention::Strict);
    let mates = all.filter_map(|p| strict.distance(&p, p.side(), 3).map(|plies| (p, plies)));
    mates.take(count).collect()
}

/// Mates up to this many plies longer are compared.
const LONGER_BY: u32 = 2;

fn options(convention: Convention) -> CompositionOptions {
    CompositionOptions {
        budget: Budget::nodes(100_000),
        convention,
        longer_by: LONGER_BY,
        max_positions: 2_000,
        ..CompositionOptions::default()
    }
}

/// The flaws according to the definitions: number of the move, kind, move, plies in all.
fn expected_cooks(position: &Position, report: &CompositionReport) -> HashSet<Flaw> {
    let attacker = position.side();
    let definition = Definition::of(report.convention);
    let mut positions = vec![position.clone()];
    for &m in &*report.line {
        positions.push(positions[positions.len() - 1].after(m));
    }
    let attacks: Vec<Position> = positions.iter().step_by(2).cloned().collect();
    let avoiding = Definition::avoiding(report.convention, &attacks);
    let mut flaws = HashSet::new();
    for (index, &main) in report.line.iter().enumerate() {
        let here = &positions[index];
        let most = |extra| report.line.len() as u32 - index as u32 - 1 + extra;
        let own = definition.distance(&positions[index + 1], attacker, most(0));
        let own = own.expect("the line mates");
        for m in here.legal_moves().into_iter().filter(|&m| m != main) {
            let after = here.after(m);
            if here.side() == attacker && !after.in_check() {
                continue;
            }
            let limit = if here.side() == attacker { own + LONGER_BY } else { own };
            let Some(rest) = definition.distance(&after, attacker, limit) else { continue };
            let avoids = |plies| avoiding.distance(&after, attacker, plies).is_some();
            let same = m.from() == main.from() && m.dropped() == main.dropped();
            let kind = match (here.side() == attacker, rest.cmp(&own)) {
                (true, _) if own == 0 => CookKind::LastMove,
                (true, std::cmp::Ordering::Less) => CookKind::ShorterMate,
                (true, std::cmp::Ordering::Equal) if same && m.to() == main.to() => {
                    CookKind::Promotion
                }
                (true, std::cmp::Ordering::Equal) if same && m.is_drop() => CookKind::DropSquare,
                (true, std::cmp::Ordering::Equal) if same => CookKind::Destination,
                (true, _) if avoids(rest + LONGER_BY) => CookKind::SecondSolution,
                (true, std::cmp::Ordering::Equal) => CookKind::MoveOrder,
                (true, std::cmp::Ordering::Greater) => CookKind::Detour,
                (false, std::cmp::Ordering::Equal) => CookKind::EqualVariation,
                (false, _) => continue,
            };
            flaws.insert((index as u32 + 1, kind, m, index as u32 + 1 + rest));
        }
    }
    flaws
}

type Flaw = (u32, CookKind, Move, u32);

fn flaws(cooks: &[Cook]) -> HashSet<Flaw> {
    let each = |cook: &Cook| {
        let &Cook { ply, kind, plies, .. } = cook;
        cook.moves.iter().map(move |&m| (ply, kind, m, plies)).collect::<Vec<_>>()
    };
    cooks.iter().flat_map(each).collect()
}

#[test]
fn reports_on_random_compositions_follow_the_definitions() {
    let mut kinds = HashSet::new();
    let mut complete = 0;
    for (position, _) in short_mates(16) {
        for convention in [Convention::Strict, Convention::Literature] {
            let definition = Definition::of(convention);
            let report = analyse(&position, &options(convention)).expect("a mate");
            let plies = definition.distance(&position, position.side(), 3).expect("a mate");
            assert!(is_mating_line_of(&position, &report, plies), "{position:?}");
            let mut expected = expected_cooks(&position, &report);
            expected.retain(|&(ply, ..)| ply >= report.examined_from);
            assert_eq!(flaws(&report.cooks), expected, "{position:?}");
            complete += u32::from(report.is_complete());
            kinds.extend(report.cooks.iter().map(|cook| cook.kind));
        }
    }
    assert!(complete > 12, "{complete} reports");
    use CookKind::{DropSquare, EqualVariation, LastMove, SecondSolution};
    let expected = [DropSquare, EqualVariation, LastMove, SecondSolution];
    assert!(expected.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
}

/// True if the report's line is `plies` long and mates, at least without futile interpositions.
fn is_mating_line_of(position: &Position, report: &CompositionReport, plies: u32) -> bool {
    let mate = report.line.iter().fold(position.clone(), |position, &m| position.after(m));
    report.line.len() as u32 == plies
        && (is_mating_line(position, &report.line)
            || Definition::of(report.convention).is_mated(&mate, 0))
}

#[test]
fn trees_of_random_compositions_follow_the_definitions() {
    let mut complete = 0;
    for (position, _) in short_mates(16) {
        let attacker = position.side();
        for convention in [Convention::Strict, Convention::Literature] {
            let definition = Definition::of(convention);
            let options = CompositionOptions { tree_longer_by: LONGER_BY, ..options(convention) };
            let tree = SolutionTree::build(&position, &options).expect("a mate");
            complete += u32::from(tree.is_complete());
            for (index, node) in tree.nodes().iter().enumerate().take(200) {
                let line = tree.moves_to(index);
                let here = line.iter().fold(position.clone(), |position, &m| position.after(m));
                check_node(&tree, index, &here, attacker, &definition);
                assert_eq!(line.len() as u32, node.depth);
            }
        }
    }
    assert!(complete > 10, "{complete} trees");
}

fn check_node(
    tree: &SolutionTree,
    index: usize,
    here: &Position,
    attacker: Color,
    definition: &Definition,
) {
    let node = &tree.nodes()[index];
    let children: HashSet<Move> = node.children.iter().filter_map(|&i| tree.nodes()[i].m).collect();
    match node.state {
        TreeState::Futile => {
            let before = tree.nodes()[node.parent].plies;
            assert!(!definition.mates(here, before.saturating_sub(1)), "{here:?}");
        }
        TreeState::Mate => assert!(definition.is_mated(here, 0)),
        TreeState::SameAs(other) => {
            let other = &tree.nodes()[other];
            assert_eq!(node.plies, other.plies);
            let is_open = !tree.is_complete() && other.state == TreeState::Unexpanded;
            assert!(other.state == TreeState::Expanded || is_open, "{here:?}");
        }
        TreeState::Unexpanded => assert!(!tree.is_complete()),
        TreeState::Expanded => {
            assert_eq!(definition.distance(here, attacker, node.plies), Some(node.plies));
            let is_played = |&m: &Move| {
                let after = here.after(m);
                let most = node.plies - 1 + LONGER_BY;
                here.side() != attacker
                    || after.in_check() && definition.distance(&after, attacker, most).is_some()
            };
            let expected = here.legal_moves().into_iter().filter(is_played);
            assert_eq!(children, expected.collect(), "{here:?}");
        }
    }
}

#[test]
fn a_problem_of_shogi_muso_has_a_longer_variation_than_recorded() {
    // Problem 38 of 1734. After the recorded 12th move 2c3d the mate takes one ply, after 2c1c
    // three.
    let problem = position("2B3l2/5lg2/5p1n1/6k1g/5P2+B/5Sg1N/6N+l1/9/9 b SN2rg2sl16p 1");
    let line = moves("S*2e 1d2e 4f3e 3f3e N*4f 3e4f 7a3e+ 2c3e 1e2e 3d2c 2e3d 2c3d G*2d");
    let options = CompositionOptions {
        longer_by: 0,
        intended: line,
        budget: Budget::nodes(500_000),
        ..options(Convention::Literature)
    };
    let report = analyse(&problem, &options).expect("a mate");
    assert_eq!((report.lengths.literature, report.line.len()), (Some(15), 13));
    let longer: Vec<&Cook> = report.cooks_of(CookKind::LongerVariation).collect();
    let expected =
        Cook { ply: 12, kind: CookKind::LongerVariation, moves: moves("2c1c"), plies: 15 };
    assert_eq!(longer, [&expected]);
    assert!(report.is_complete() && !report.is_sound() && report.leftover.is_empty());
}

#[test]
fn a_report_is_text() {
    let problem = position("8k/9/8G/9/9/9/9/9/9 b 2G 1");
    let report = analyse(&problem, &options(Convention::Literature)).expect("a mate");
    let text = report.to_string();
    assert!(text.starts_with("mate in 1 plies (strict: 1)\n"), "{text}");
    assert!(text.contains("\npieces left in hand (駒余り): 1 Gold\n"), "{text}");
    assert!(text.contains("\nmove 1: other last move (最終手余詰): "), "{text}");
}

#[test]
fn faults_of_the_input_are_typed_errors() {
    let problem = position("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1");
    let plies = |line: &str, nodes| {
        let options = options(Convention::Literature);
        let options =
            CompositionOptions { intended: moves(line), budget: Budget::nodes(nodes), ..options };
        analyse(&problem, &options).map(|report| report.line.len())
    };
    let fault = |ply| Err(CompositionError::IntendedLine { ply });
    assert_eq!(plies("P*1b 2a1b G*1b", 1_000_000), fault(3));
    assert_eq!(plies("G*5e", 1_000_000), fault(1));
    assert_eq!(plies("P*1b", 1_000_000), fault(1));
    assert_eq!(plies("", 3), Err(CompositionError::Budget));
    let tree = SolutionTree::build(
        &problem,
        &CompositionOptions { max_positions: 9, ..CompositionOptions::default() },
    );
    assert!(tree.is_ok_and(|tree| !tree.is_complete() && tree.nodes().len() >= 9));
    let none = position("4k4/9/9/9/9/9/9/9/9 b G 1");
    let error = analyse(&none, &CompositionOptions::default());
    assert_eq!(error.err(), Some(CompositionError::NoMate));
}

#[test]
fn an_intended_line_ends_where_only_futile_interpositions_are_left() {
    let problem = position("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1");
    let line = analyse(&problem, &options(Convention::Literature)).expect("a mate");
    let line: Vec<Move> = line.line.iter().copied().collect();
    assert_eq!(line.len(), 3);
    let intended = |convention| {
        let options = CompositionOptions { intended: line.clone(), ..options(convention) };
        analyse(&problem, &options).map(|report| report.lengths.literature)
    };
    assert_eq!(intended(Convention::Literature), Ok(Some(3)));
    let fault = CompositionError::IntendedLine { ply: 3 };
    assert_eq!(intended(Convention::Strict), Err(fault));
}

#[test]
fn a_spent_budget_leaves_a_partial_report() {
    let problem = position("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1");
    let full = analyse(&problem, &options(Convention::Literature)).expect("a mate");
    assert!(full.is_complete());
    let mut partial = 0;
    for nodes in (full.nodes / 4..full.nodes).step_by(full.nodes as usize / 20) {
        let options =
            CompositionOptions { budget: Budget::nodes(nodes), ..options(Convention::Literature) };
        let Ok(report) = analyse(&problem, &options) else { continue };
        assert_eq!(report.line, full.line);
        let examined = full.cooks.iter().filter(|cook| cook.ply >= report.examined_from);
        assert!(report.cooks.iter().eq(examined), "{nodes} nodes");
        partial += u32::from(!report.is_complete());
    }
    assert!(partial > 3, "{partial}");
}

#[test]
fn exports_have_every_position() {
    let problem = position("9/8k/9/8P/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1");
    let tree = SolutionTree::build(&problem, &CompositionOptions::default()).expect("a mate");
    let count = tree.nodes().len();
    assert_eq!(tree.to_string().lines().count(), count);
    assert_eq!(tree.walk().count(), count);
    let mut json = String::new();
    tree.write_json(&mut json).expect("memory");
    assert_eq!(json.matches("{\"parent\":").count(), count);
    assert_eq!(json.matches('{').count(), json.matches('}').count());
    let again = SolutionTree::build(&problem, &CompositionOptions::default()).expect("a mate");
    assert_eq!(again, tree);
}
