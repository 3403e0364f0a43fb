//! Changed graphs against graphs built from the same records.

use komadai_bookfile::{BookRecord, RecordMove};
use komadai_core::{Move, Position, Score};
use komadai_movegen::MoveGen as _;
use proptest::prelude::*;

use super::*;
use crate::graph::builder::GraphBuilder;
use crate::graph::draw_value::DrawValue;
use crate::graph::values::{Basis, PERPETUAL_RANK, REPETITION_RANK, RankedScore};

/// Starts from which few moves lead back: a hunt by a dragon, kings walking, two hunters, an even
/// game.
const STARTS: [&str; 5] = [
    "+R3k4/9/9/9/9/9/9/9/4K4 w - 2",
    "4k4/9/9/9/9/9/9/9/4K4 b - 1",
    "5k3/9/4+R4/9/9/9/4+r4/9/3K5 b - 1",
    "k8/1P+P6/9/9/9/9/9/6+p2/8K b Rr 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
];

/// Positions within a number of plies of a start. Only some moves of each position are followed.
fn pool(start: &str, plies: u32, most: usize) -> Vec<Position> {
    let mut positions = vec![Position::from_sfen(start).expect("a position")];
    let mut from = 0;
    for _ in 0..plies {
        let until = positions.len();
        for at in from..until {
            let position = positions[at].clone();
            let moves = position.legal_moves().to_vec();
            let step = (moves.len() / 4).max(1);
            for &m in moves.iter().step_by(step) {
                let next = position.after(m).without_history();
                let is_known = |known: &Position| known.key() == next.key();
                if positions.len() < most && !positions.iter().any(is_known) {
                    positions.push(next);
                }
            }
        }
        from = until;
    }
    positions
}

/// A change of a position of the pool: its number, the kind of change, and moves with values.
type Step = (usize, u8, Vec<(usize, Option<i16>)>);

fn any_steps() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let score = prop_oneof![
        4 => (-4i16..=4).prop_map(Some),
        1 => prop_oneof![Just(32_000i16), Just(-32_000)].prop_map(Some),
        1 => Just(None),
    ];
    let moves = prop::collection::vec((0usize..200, score), 1..4);
    let step = (0usize..1_000, 0u8..10, moves);
    prop::collection::vec(prop::collection::vec(step, 1..4), 1..40)
}

fn change(pool: &[Position], (at, what, moves): &Step) -> Option<GraphChange> {
    let position = pool[at % pool.len()].clone();
    let legal = position.legal_moves().to_vec();
    if legal.is_empty() {
        return None;
    }
    // Moves that stay within the pool are preferred, so that there are cycles.
    let inside: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&m| pool.iter().any(|known| known.key() == position.after(m).key()))
        .collect();
    let choose = |number: usize| match inside.is_empty() || number.is_multiple_of(3) {
        true => legal[number % legal.len()],
        false => inside[number % inside.len()],
    };
    Some(match what {
        0 => GraphChange::RemovePosition(position),
        1 => GraphChange::RemoveMove { m: choose(moves[0].0), position },
        3 => {
            let moves = moves.iter().skip(1).map(|&(number, _)| choose(number)).collect();
            GraphChange::Bar { moves, position }
        }
        _ => {
            let listed = moves.iter().map(|&(number, score)| RecordMove {
                score: score.map(|score| Score::from_raw(score.into())),
                ..RecordMove::new(choose(number))
            });
            let mut record = BookRecord::new(position);
            record.moves = listed.collect();
            if *what == 2 { GraphChange::Set(record) } else { GraphChange::Add(record) }
        }
    })
}

/// A value without the parts that depend on the order of the solution.
fn unique(value: NodeValue) -> NodeValue {
    let is_checked = (PERPETUAL_RANK..REPETITION_RANK).contains(&value.ranked_score.rank);
    let ranked_score = RankedScore { rank: PERPETUAL_RANK, ..value.ranked_score };
    if is_checked { NodeValue { ranked_score, basis: Basis::PerpetualCheck } } else { value }
}

/// The contents of a graph that do not depend on the numbers of positions.
fn essence(graph: &BookGraph) -> Vec<(String, Vec<NodeValue>, Vec<String>, i16)> {
    let mut rows: Vec<_> = (0..graph.positions.len() as u32)
        .filter(|&number| !graph.moves.get(number).is_empty())
        .map(|number| {
            let values = graph.draw.nodes_of(number).map(|node| unique(graph.values.get(node)));
            let mut edges: Vec<String> = graph
                .links
                .edges
                .get(number)
                .iter()
                .map(|edge| format!("{} {}", edge.m, graph.positions.black_to_move(edge.to)))
                .collect();
            edges.sort();
            let name = graph.positions.black_to_move(number).to_string();
            (name, values.collect(), edges, graph.links.best_leaf[number as usize])
        })
        .collect();
    rows.sort_by(|one, other| one.0.cmp(&other.0));
    rows
}

fn built_again(graph: &BookGraph) -> BookGraph {
    let mut builder = GraphBuilder::new().draw_value(graph.draw);
    let numbers = 0..graph.positions.len() as u32;
    for number in numbers.filter(|&number| !graph.links.barred.of(number).is_empty()) {
        let position = graph.positions.black_to_move(number);
        builder.bar(&position, graph.links.barred.of(number)).expect("it fits");
    }
    graph.records().for_each(|record| builder.add(&record).expect("it fits"));
    builder.finish().expect("its moves are legal")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_changed_graph_is_the_one_built_again(
        start in 0usize..STARTS.len(),
        most in 5usize..60,
        batches in any_steps(),
        draw in prop_oneof![2 => Just(0i32), 1 => -3i32..=3],
    ) {
        let pool = pool(STARTS[start], 4, most);
        let draw = DrawValue::for_black(draw);
        let mut graph = GraphBuilder::new().draw_value(draw).finish().expect("nothing is wrong");
        for steps in batches {
            let changes: Vec<GraphChange> = steps.iter().filter_map(|step| change(&pool, step)).collect();
            graph.apply(&changes).expect("the changes are fine");
            prop_assert_eq!(essence(&graph), essence(&built_again(&graph)));
        }
    }
}

#[test]
fn illegal_moves_change_nothing() {
    let mut graph = GraphBuilder::new().finish().expect("nothing is wrong");
    let record = |m: &str| {
        let listed =
            RecordMove { score: Some(Score::cp(1)), ..RecordMove::new(m.parse().unwrap()) };
        BookRecord { moves: vec![listed], ..BookRecord::new(Position::hirate()) }
    };
    let error = graph.apply(&[GraphChange::Add(record("7g7f")), GraphChange::Add(record("7g7e"))]);
    assert!(matches!(error, Err(EntryError::IllegalMove { .. })));
    assert_eq!((graph.len(), graph.positions()), (0, 0));
    assert_eq!(
        graph.apply(&[GraphChange::RemovePosition(Position::hirate())]),
        Ok(Updated::default())
    );
}

/// A leaf far down changes by one centipawn. Only the line to the root is visited, not the whole
/// book.
#[test]
fn a_change_looks_at_what_can_change() {
    let mut builder = GraphBuilder::new();
    let mut position = Position::hirate();
    let mut line = Vec::new();
    for _ in 0..60 {
        let moves = position.legal_moves().to_vec();
        let listed = [0, moves.len() / 2, moves.len() - 1].map(|at| RecordMove {
            score: Some(Score::cp(if at == moves.len() / 2 { 9 } else { -50 })),
            ..RecordMove::new(moves[at])
        });
        builder
            .add(&BookRecord {
                moves: listed.to_vec(),
                ..BookRecord::new(position.without_history())
            })
            .expect("it fits");
        line.push(position.clone());
        position.do_move(moves[moves.len() / 2]);
    }
    let mut graph = builder.finish().expect("the moves are legal");
    let last = line.last().expect("there is a line").without_history();
    let best = graph.moves(&last)[0].m;
    let raised = RecordMove { score: Some(Score::cp(10)), ..RecordMove::new(best) };
    let raised = BookRecord { moves: vec![raised], ..BookRecord::new(last) };
    let updated = graph.apply(&[GraphChange::Add(raised)]).expect("it is fine");
    assert!(updated.changed >= 1 && updated.visited <= 61, "{updated:?}");
    assert_eq!(essence(&graph), essence(&built_again(&graph)));
}
