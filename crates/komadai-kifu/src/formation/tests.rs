use std::collections::BTreeSet;

use komadai_base::reading::Tolerance;
use komadai_core::{Piece, PieceKind, Position, Setup, SplitMix64, Square};
use komadai_movegen::MoveGen;
use komadai_testdata::{castles, formations, games, handicaps};

use super::*;
use crate::formation::formation_set::FormationSet;
use crate::formation::past::Past;
use crate::formation::shape::Moment;
use crate::formation::table::read;
use crate::record_move::RecordMove;
use crate::record_reader::parse_usi_games;

fn named(name: &str) -> Formation {
    Formation::by_name(name).unwrap_or_else(|| panic!("no formation {name}"))
}

fn record(moves: &str) -> Record {
    let text = format!("startpos moves {moves}\n");
    parse_usi_games(&text, Tolerance::Strict).unwrap().records.remove(0)
}

fn tournament() -> Vec<Record> {
    games::tournament().map(|game| record(game.moves)).collect()
}

fn ids(formations: impl IntoIterator<Item = Formation>) -> Vec<&'static str> {
    formations.into_iter().map(Formation::id).collect()
}

/// A game of random legal moves.
fn random_game(seed: u64) -> Record {
    let mut random = SplitMix64::new(seed);
    let mut position = Position::hirate();
    let mut game = Record::new(Setup::hirate());
    for _ in 0..160 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[random.below(moves.len() as u64) as usize];
        game.moves.push(RecordMove::new(m));
        position.do_move(m);
    }
    game
}

/// The same game with exchanged colours.
fn flipped(game: &Record) -> Record {
    let mut flipped = Record::new(game.setup.flipped());
    flipped.moves = game.moves.iter().map(|played| RecordMove::new(played.m.flipped())).collect();
    flipped
}

/// The game from a later position.
fn continued(game: &Record, ply: usize) -> Record {
    let mut position = Position::hirate();
    game.moves[..ply].iter().for_each(|played| position.do_move(played.m));
    let mut rest = Record::new(position.to_setup());
    rest.moves = game.moves[ply..].to_vec();
    rest
}

#[test]
fn the_tables_are_complete() {
    let table = read().unwrap_or_else(|fault| panic!("{fault}"));
    assert!(table.castles >= 60 && table.entries.len() - table.castles >= 60);
    let all: Vec<Formation> = Formation::all().collect();
    assert_eq!(all.len(), table.entries.len());
    let distinct: BTreeSet<&str> = all.iter().map(|formation| formation.id()).collect();
    assert_eq!(distinct.len(), all.len());
    for formation in all {
        assert_eq!(Formation::by_name(formation.id()), Some(formation));
        assert_eq!(Formation::by_name(formation.japanese()), Some(formation), "{formation}");
        assert_eq!(Formation::by_name(formation.english()), Some(formation), "{formation}");
        for alias in formation.aliases() {
            assert!(Formation::by_name(alias).is_some(), "{alias}");
        }
        let is_kana = |c: char| ('ぁ'..='ヿ').contains(&c);
        assert!(formation.reading().chars().all(is_kana), "{formation}");
        assert!(!formation.refines(formation), "{formation} refines itself");
        // A castle in a strategy's family would vanish from the line of the game.
        assert!(formation.parents().all(|parent| parent.kind() == formation.kind()));
        let is_limited = formation.entry().last_ply <= 100;
        assert_eq!(is_limited, formation.kind() == FormationKind::Strategy, "{formation}");
    }
    assert_eq!(Formation::by_name("no such castle"), None);
    assert_eq!(named("右玉").kind(), FormationKind::Strategy);
    assert_eq!(named("イビ穴"), named("居飛車穴熊"));
    let without = Formation::all().filter(|formation| formation.also_in().is_empty());
    assert!(without.count() <= 8, "most names stand in another table, too");
}

#[test]
fn a_word_that_is_not_understood_is_named() {
    let none = |_: &str| None;
    for word in ["X5h", "K", "K5j", "K0a", "after:nothing", "hand:K7", "ply<x", "ply", "!ply<=3"] {
        let found = shape::Shape::read(&format!("K5i {word} S4h"), &none);
        match (word, found) {
            // Only the letter of a hand is read.
            ("hand:K7", Ok(_)) => {}
            (_, found) => assert_eq!(found.err().map(|error| error.word).as_deref(), Some(word)),
        }
    }
}

/// The position of the pieces that an alternative names, with the opponent's king far away.
fn drawn(definition: &str) -> Position {
    let mut setup = Setup::empty();
    for word in definition.split(" | ").next().unwrap().split(' ') {
        let Some((letter, square)) = word.split_at_checked(1) else { continue };
        let kind = PieceKind::from_sfen_letter(letter.chars().next().unwrap());
        let square = square.split('/').next().unwrap().parse::<Square>();
        if let (Some(kind), Ok(square)) = (kind, square) {
            setup.board[square] = Some(Piece::new(Color::Black, kind));
        }
    }
    // Without the pawn a mino is a bald one.
    if !definition.contains("P2") && setup.board[Square::S27].is_none() {
        setup.board[Square::S27] = Some(Piece::new(Color::Black, PieceKind::Pawn));
    }
    // A square of the opponent's king on which it is not in check.
    let mut kings = [Square::S11, Square::S41, Square::S91].into_iter().filter_map(|square| {
        let mut setup = setup.clone();
        setup.board[square] = Some(Piece::new(Color::White, PieceKind::King));
        Position::from_setup(&setup).ok()
    });
    kings.next().unwrap()
}

#[test]
fn every_castle_is_found_in_its_own_diagram() {
    let mut seen = 0;
    for castle in Formation::all().filter(|formation| formation.kind() == FormationKind::Castle) {
        // A king at home needs the game.
        if castle.id() == "igyoku" {
            continue;
        }
        let position = drawn(castle.definition());
        assert_eq!(Formation::castle_of(&position, Color::Black), Some(castle), "{castle}");
        assert_eq!(Formation::castle_of(&position.flipped(), Color::White), Some(castle));
        assert_eq!(Formation::castle_of(&position, Color::White), None);
        seen += 1;
    }
    assert!(seen > 100);
}

/// Game, ply and side; the label and the castle that was found.
type Difference = (usize, usize, Color, Option<&'static str>, Option<&'static str>);

/// The positions in which the detector differs from the labels. In the first four the label overlooks pieces; in the last one the
/// label is the castle that the other one refines.
const DIFFERENCES: [Difference; 5] = [
    (1, 60, Color::Black, None, Some("furiana")),
    (15, 60, Color::White, None, Some("gangi")),
    (21, 44, Color::White, None, Some("fune-dx")),
    (55, 44, Color::Black, None, Some("tenshukaku")),
    (4, 60, Color::Black, Some("ibiana"), Some("yonmai-anaguma")),
];

#[test]
fn castles_are_those_of_the_labels() {
    let (mut same, mut different) = (0, Vec::new());
    for row in formations::positions() {
        let position = Position::from_sfen(row.sfen).unwrap();
        for color in Color::ALL {
            let found = Formation::castle_of(&position, color).map(Formation::id);
            let label = row.castles[color.index()];
            if found == label {
                same += 1;
            } else {
                different.push((row.game, row.ply, color, label, found));
            }
        }
    }
    different.sort_unstable();
    let mut expected = DIFFERENCES;
    expected.sort_unstable();
    assert_eq!((same, &different[..]), (395, &expected[..]));
}

#[test]
fn strategies_are_those_of_the_labels() {
    let games = tournament();
    let (mut labelled, mut unlabelled, mut further) = (0, 0, 0);
    for row in formations::games() {
        let found = Formations::of(&games[row.game - 1]);
        for color in Color::ALL {
            let strategies = found.strategies(color);
            let Some(label) = row.strategies[color.index()].map(named) else {
                unlabelled += 1;
                further += usize::from(!strategies.is_empty());
                continue;
            };
            labelled += 1;
            let is_found = strategies.iter().any(|&found| found == label || found.refines(label));
            assert!(is_found, "game {} {color:?}: {label} in {strategies:?}", row.game);
        }
    }
    // Where the label names nothing, as against most ranging rooks, the tables know a name for
    // some sides.
    assert_eq!((labelled, unlabelled), (87, 47));
    assert!(further < unlabelled / 2, "{further} of {unlabelled}");
}

/// Compares all shapes after each move, until nothing is new.
fn naively(game: &Record) -> Vec<Named> {
    let mut names: Vec<Named> = Vec::new();
    let mut has = [FormationSet::default(); 2];
    let Ok(mut position) = Position::from_setup_leniently(&game.setup) else { return names };
    let mut past = Past::new(&position);
    let squares = || game.setup.board.iter().zip(Setup::hirate().board);
    let has_opening = squares().all(|(&piece, even)| piece.is_none() || piece == even)
        && game.setup.hands.iter().all(|hand| hand.is_empty());
    for ply in 0..=game.moves.len() {
        loop {
            let known = names.len();
            for side in Color::ALL {
                for formation in Formation::all() {
                    let index = usize::from(formation.0);
                    if has[side.index()].contains(index)
                        || formation.kind() == FormationKind::Strategy && !has_opening
                    {
                        continue;
                    }
                    let own = has[side.index()];
                    let moment = Moment { position: &position, past: &past, ply, side, has: &own };
                    if formation.entry().shape.fits(&moment) {
                        for side in [side, !side] {
                            if has[side.index()].contains(index) {
                                continue;
                            }
                            has[side.index()].insert(index);
                            names.push(Named { formation, side, ply });
                            if !formation.entry().is_shared {
                                break;
                            }
                        }
                    }
                }
            }
            if names.len() == known {
                break;
            }
        }
        let Some(played) = game.moves.get(ply) else { break };
        if komadai_movegen::check_legality(&position, played.m).is_err() {
            break;
        }
        past.add(&position, played.m);
        position.do_move(played.m);
    }
    names.sort_by_key(|named| (named.ply, named.side, named.formation));
    names
}

#[test]
fn triggers_overlook_nothing() {
    let mut seen = BTreeSet::new();
    for game in tournament().into_iter().chain((0..60).map(random_game)) {
        let found = Formations::of(&game);
        assert_eq!(found.names(), naively(&game));
        seen.extend(found.names().iter().map(|named| named.formation));
        for ply in [0, 1, 20, 45] {
            let rest = continued(&game, ply.min(game.moves.len()));
            assert_eq!(Formations::of(&rest).names(), naively(&rest));
        }
    }
    assert!(seen.len() > 90, "only {} formations occur", seen.len());
}

#[test]
fn exchanged_colours_have_the_same_names() {
    for game in tournament().into_iter().chain((100..130).map(random_game)) {
        let (here, there) = (Formations::of(&game), Formations::of(&flipped(&game)));
        let mut expected: Vec<Named> =
            here.names().iter().map(|named| Named { side: !named.side, ..*named }).collect();
        expected.sort_by_key(|named| (named.ply, named.side, named.formation));
        assert_eq!(there.names(), expected);
        for side in Color::ALL {
            assert_eq!(here.castle(side), there.castle(!side));
        }
    }
}

#[test]
fn books_have_these_names() {
    // Moves, and names with the plies at which they are reached; capital letters are Black's.
    let yoko = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d";
    let tempo = "7g7f 3c3d 2g2f 4a3b 2f2e 2b8h+ 7i8h 3a2b 8h7g 2b3c 3i4h 7a6b 4g4f 5a4b";
    let central = "7g7f 3c3d 2g2f 5c5d 2f2e 8b5b";
    let lines = [
        (
            "7g7f 3c3d 7f7e 8c8d 2h7h 8d8e 5i4h 7a6b 7h7f 6a5b 8i7g".to_owned(),
            "B5 hayaishi, B7 masuda-ishida, B9 ishida, B11 ishida-hongumi",
        ),
        (central.to_owned(), "W6 nakabisha, W6 gokigen"),
        (format!("{central} 3i4h 2b3c 5i6h 5d5e 3g3f 5a6b 4h3g 6b7b 3g4f"), "B15 chosoku"),
        (format!("{central} 8h2b+ 3a2b"), "B7 maruyama-vaccine"),
        (tempo.to_owned(), "W14 itteson, B14 kakugawari, W14 kakugawari"),
        (
            "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 2b7g+ 8h7g 3a2b 3i4h 2b3c 4g4f 7a6b 4h4g 6c6d 4g5f"
                .to_owned(),
            "B14 kakugawari, B17 kakugawari-koshikakegin",
        ),
        (
            format!("{yoko} 2b3c 5i5h"),
            "B15 yokofudori, W15 yokofudori, W16 yokofu-33kaku, B17 aono",
        ),
        (format!("{yoko} 2b3c 5i6h"), "B17 yuki"),
        (format!("{yoko} 2b8h+ 7i8h P*2h 3i2h B*4e"), "W20 yokofu-45kaku"),
        (
            "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b 3h2g".to_owned(),
            "B6 aigakari, W6 aigakari, B9 aigakari-bogin, B9 genshi-bogin",
        ),
        ("7g7f 3c3d 8h2b+ 3a2b B*4e".to_owned(), "B5 sujichigai"),
        ("7g7f 8c8d 8i7g".to_owned(), "B3 onigoroshi"),
        ("7g7f 4c4d".to_owned(), "W2 pacman"),
        ("7i6h".to_owned(), "B1 ureshino"),
        ("7g7f 8b3b".to_owned(), "W2 2te32hi, W2 sanken"),
        ("2h7h".to_owned(), "B1 shote78hi"),
        ("7g7f 3c3d 8g8f".to_owned(), "B3 kakutofu"),
        ("7g7f 8c8d 7i6h 3c3d 6h7g".to_owned(), "B5 yagura-senpo"),
        ("7g7f 3c3d 4g4f 8c8d 3i4h 8d8e 8h7g 7a6b 4h4g 6a5b 2h4h".to_owned(), "B11 migi-shiken"),
        ("7g7f 3c3d 2g2f 2b8h+ 7i8h 3a2b 3i4h 2b3c 4g4f 8b2b".to_owned(), "W10 direct-mukai"),
        (
            "7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 7i7h 5a4b 3i3h 4b3b 6i5h 5c5d 1g1f 6a5b 1f1e 8d8e 8h7g"
                .to_owned(),
            "B5 shiken, B17 normal-shiken, B17 fujii-system",
        ),
        ("7g7f 3c3d 7f7e 3d3e 2h7h 8b3b 5i4h 5a6b".to_owned(), "B8 ai-furibisha, W8 ai-furibisha"),
    ];
    for (moves, expected) in lines {
        let names = Formations::of(&record(&moves));
        let found: BTreeSet<String> = names
            .names()
            .iter()
            .map(|named| {
                let side = if named.side == Color::Black { 'B' } else { 'W' };
                format!("{side}{} {}", named.ply, named.formation.id())
            })
            .collect();
        for name in expected.split(", ") {
            assert!(found.contains(name), "{moves}: no {name} in {found:?}");
        }
    }
}

#[test]
fn dropped_pieces_build_no_castle() {
    // The last piece of a mino comes from the board, or from the hand.
    let shape = "4k4/9/9/9/9/9/5PPPP/4G2K1/5G1NL b S 1";
    let position = Position::from_sfen(shape).unwrap();
    let mut game = Record::new(position.to_setup());
    game.moves.push(RecordMove::new("S*3h".parse().unwrap()));
    assert_eq!(Formations::of(&game).names(), []);
    let position = Position::from_sfen("4k4/9/9/9/9/9/5PPPP/4G2K1/5GSNL b - 1").unwrap();
    let mut game = Record::new(position.to_setup());
    game.moves.push(RecordMove::new("3i3h".parse().unwrap()));
    let found = Formations::of(&game);
    assert_eq!(ids(found.names().iter().map(|named| named.formation)), ["kata-mino", "mino"]);
    assert_eq!(found.names()[0].ply, 1);
}

#[test]
fn handicaps_have_openings_and_other_positions_have_none() {
    let two = handicaps::rows().find(|row| row.kif == "二枚落ち").unwrap();
    let mut game = Record::new(two.sfen.parse().unwrap());
    for m in "7a6b 4g4f 5c5d 4f4e 6b5c 3g3f 6a6b 3f3e".split(' ') {
        game.moves.push(RecordMove::new(m.parse().unwrap()));
    }
    let found = Formations::of(&game);
    assert_eq!(ids(found.strategies(Color::Black)), ["nifu-tsukkiri"]);
    let line = found.line(Language::Japanese);
    assert_eq!(line.as_deref(), Some("下手：二歩突っ切り"));

    let central = record("7g7f 3c3d 2g2f 5c5d 2f2e 8b5b");
    assert_eq!(ids(Formations::of(&central).strategies(Color::White)), ["gokigen"]);
    assert_eq!(Formations::of(&continued(&central, 5)).names(), []);
}

#[test]
fn moves_before_an_illegal_one_count() {
    let mut game = record("7g7f 3c3d 7f7e 8c8d 2h7h");
    game.moves.push(RecordMove::new("5a5e".parse().unwrap()));
    assert_eq!(ids(Formations::of(&game).strategies(Color::Black)), ["hayaishi"]);
}

/// The armies that self-play starts with, and the castles found in them.
#[test]
fn templates_of_self_play_are_recognised() {
    let expected = [
        ("mino", "mino"),
        ("high mino", "taka-mino"),
        ("silver crown", "ginkan"),
        ("gold mino", "kin-mino"),
        ("half mino", "kata-mino"),
        ("diamond mino", "diamond-mino"),
        ("ranging anaguma", "furiana"),
        ("left mino", "hidari-mino"),
        ("left silver crown", "ibi-ginkan"),
        ("static anaguma", "ibiana"),
        ("elmo", "hidariyama"),
        ("yagura", "yagura"),
        ("kikusui", "kikusui"),
        ("millennium", "millennium"),
        ("gangi", "tsunogin-gangi"),
        ("double-wing gangi", "nimaigin-gangi"),
        ("crab", "kani"),
        ("boat", "fune"),
        ("middle king", "nakazumai"),
    ];
    let template = |name: &str| {
        castles::templates().find(|template| template.name == name).expect("a template")
    };
    for (name, castle) in expected {
        let sfen = castles::compose(&template(name), &template("mino"), 'b');
        let position = Position::from_sfen(&sfen).unwrap();
        let found = Formation::castle_of(&position, Color::Black);
        assert_eq!(found.map(Formation::id), Some(castle), "{name}");
        let other = Formation::castle_of(&position, Color::White);
        assert_eq!(other.map(Formation::id), Some("mino"), "{name}");
    }
}

#[test]
fn the_castle_of_a_game_is_that_of_most_positions() {
    let moves = "7g7f 8c8d 2h6h 8d8e 8h7g 6a5b 5i4h 5a4b 4h3h 4b3b 3h2h 1c1d 1g1f 7a6b 3i3h 3c3d \
                 4g4f 5c5d 6i5h 3a4b 9g9f 9c9d 7i7h 6c6d";
    let of = |moves: &str| {
        let found = Formations::of(&record(moves));
        Color::ALL.map(|side| found.castle(side).map(Formation::id))
    };
    assert_eq!(of(moves), [Some("mino"), Some("fune")]);
    assert_eq!(of("7g7f 3c3d"), [None, None]);
    let pushes = "1g1f 9c9d 9g9f 1c1d";
    let shuffles = ["2h3h 8b7b 3h2h 7b8b"; 10].join(" ");
    assert_eq!(of(&format!("{pushes} {shuffles}")), [Some("igyoku"); 2]);
}
