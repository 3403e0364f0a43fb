//! Pitfalls (落とし穴): does the value rise on the way of the pieces into a castle?

use komadai::eval::{Classical, Group};
use komadai::prelude::*;

use crate::figure::Figure;
use crate::findings::Findings;

/// The ways into castles: squares from and to.
const WAYS: [(&str, &str); 6] = [
    ("mino", "5i4h 4h3h 3h2h 3i3h 6i5h"),
    ("yagura", "7i6h 6h7g 6i7h 4i5h 5h6g 5i6i 6i7i 7i8h"),
    ("anaguma", "5i6h 6h7h 4i5h 7h8h 8h9i 7i8h 6i7i 5h6h 6h7h"),
    ("boat", "5i6h 6h7h 4i5h"),
    ("crab", "7i6h 6i7h 4i5h 5i6i"),
    ("middle", "4i3h 6i7h 5i5h"),
];

/// The army of Black at the start, without the pieces that stand in the way.
const ARMY: [(char, &str); 5] = [('K', "5i"), ('G', "4i"), ('G', "6i"), ('S', "3i"), ('S', "7i")];

/// Returns the castle terms of Black, in centipawns.
fn term(evaluator: &Classical, army: &[(char, String)]) -> f64 {
    let rank = |rank: char| {
        let mut text = String::new();
        let mut empty = 0;
        for file in "987654321".chars() {
            let square = format!("{file}{rank}");
            match army.iter().find(|(_, place)| *place == square) {
                Some((piece, _)) => {
                    if empty > 0 {
                        text += &empty.to_string();
                    }
                    empty = 0;
                    text.push(*piece);
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    };
    let [seventh, eighth, ninth] = ['g', 'h', 'i'].map(rank);
    let sfen = format!("lnsgkgsnl/1r5b1/ppppppppp/9/9/PPPPPPPPP/{seventh}/{eighth}/{ninth} b RB 1");
    let position = Position::from_sfen(&sfen).expect("an army is a position");
    let explanation = evaluator.explain(&position);
    let terms = explanation.terms().iter();
    let castle = terms.filter(|term| term.group == Group::Castle && term.owner == Color::Black);
    castle.map(|term| f64::from(term.value)).sum()
}

pub(super) fn measure(found: &mut Findings) {
    let evaluator = Classical::default();
    let (mut steps, mut falling) = (0, 0);
    let mut gains = Vec::new();
    for (name, way) in WAYS {
        let mut army: Vec<(char, String)> =
            ARMY.iter().map(|&(piece, square)| (piece, square.to_owned())).collect();
        let start = term(&evaluator, &army);
        let mut last = start;
        for step in way.split(' ') {
            let (from, to) = step.split_at(2);
            let piece = army.iter_mut().find(|(_, square)| square == from);
            to.clone_into(&mut piece.expect("the ways begin at pieces").1);
            let now = term(&evaluator, &army);
            steps += 1;
            falling += u64::from(now < last - 1e-3);
            last = now;
        }
        let count = way.split(' ').count() as u64;
        found.add(format!("castle {name}"), Figure::exact(last - start, count));
        gains.push(last - start);
    }
    // All ways are walked, so that there is no sample.
    found.add("falling steps", Figure::exact(falling as f64, steps));
    let least = gains.into_iter().fold(f64::INFINITY, f64::min);
    found.add("least gain", Figure::exact(least, WAYS.len() as u64));
}
