//! Pages about the moves played from a position.

mod browser;

use komadai_core::{Language, Position};
use komadai_report::{ExplorerMove, ExplorerPage, ExplorerPosition, GameCounts};

/// A page of three lines, two of which meet, with a title and lines that are not for machines.
pub(crate) fn page(language: Language) -> ExplorerPage {
    let lines: [(&[&str], u64); 3] = [
        (&["7g7f", "3c3d", "2g2f", "8c8d"], 5),
        (&["2g2f", "3c3d", "7g7f", "4c4d"], 3),
        (&["7g7f", "8c8d", "2g2f"], 2),
    ];
    let mut positions: Vec<ExplorerPosition> = Vec::new();
    let place = |position: &Position, positions: &mut Vec<ExplorerPosition>| {
        let known = positions.iter().position(|one| one.position.same_placement(position));
        known.unwrap_or_else(|| {
            let counts = GameCounts::default();
            let position = position.clone();
            positions.push(ExplorerPosition { position, counts, ended: 0, moves: Vec::new() });
            positions.len() - 1
        })
    };
    for (line, games) in lines {
        let mut position = Position::hirate();
        let counts = GameCounts { games, black: games - 1, draws: 0, white: 1 };
        for (ply, text) in line.iter().enumerate() {
            let m = text.parse().unwrap();
            let at = place(&position, &mut positions);
            let after = position.after(m);
            // The positions at the ends of the lines have no table.
            let next = (ply + 1 < line.len()).then(|| place(&after, &mut positions));
            add(&mut positions[at].counts, counts);
            let known = positions[at].moves.iter_mut().find(|known| known.m == m);
            match known {
                Some(known) => add(&mut known.counts, counts),
                None => {
                    let year = Some(2_019.6);
                    let known = ExplorerMove { next, year, ..ExplorerMove::new(m, counts) };
                    positions[at].moves.push(known);
                }
            }
            position = after;
        }
    }
    ExplorerPage {
        language,
        title: "<img src=x onerror=alert(1)> & \"games\"".to_owned(),
        positions,
        ..ExplorerPage::default()
    }
}

fn add(sum: &mut GameCounts, more: GameCounts) {
    sum.games += more.games;
    sum.black += more.black;
    sum.draws += more.draws;
    sum.white += more.white;
}

#[test]
fn tables_have_moves_games_and_results() {
    let text = page(Language::English).to_string();
    for part in [
        "<h2>10 games<small>Black to move</small></h2>",
        "<tr data-m=\"7g7f\"><th scope=\"row\"><a href=\"#p1\">P-7f</a></th><td>7</td><td>70.0 %</td>\
         <td>71.4 %</td><td>0.0 %</td><td>28.6 %</td><td>2020</td><td>–</td></tr>",
        "<tr data-m=\"8c8d\"><th scope=\"row\"><span>P-8d</span></th>",
        "<title>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;games&quot;</title>",
    ] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let japanese = page(Language::Japanese).to_string();
    assert!(japanese.contains(">▲７六歩</a>") && japanese.contains("<small>先手番</small>"));
    let empty = ExplorerPage::default().to_string();
    assert!(!empty.contains("id=\"board\"") && empty.ends_with("</html>\n"));
}

#[test]
fn positions_that_lines_share_have_one_table() {
    let page = page(Language::English);
    let tables = page.to_string().matches("<article ").count();
    assert_eq!((page.positions.len(), tables), (7, 7));
}
