//! Games, settings and statistics as JSON.

use std::time::Duration;

use komadai_core::{Color, UsiPosition};
use komadai_match::{
    Adjudication, Ending, FaultKind, Match, MatchGame, Opening, Pentanomial, PlayedGame,
    PlayedMove, Rules, Sprt, SprtVerdict, Tally, TimeControl, Usage, Verdict,
};
use serde_json::{from_str, from_value, json, to_value};

fn game() -> MatchGame {
    let made = |m: &str| PlayedMove {
        m: m.parse().unwrap(),
        elapsed: Duration::from_millis(1_500),
        bound: komadai_core::Bound::Exact,
        score: Some(20),
        nodes: 100,
        depth: 5,
        start_depth: 3,
        ponder_hit: Some(true),
    };
    let ending = Ending::Fault(FaultKind::IllegalMove);
    let game = PlayedGame {
        opening: UsiPosition::from_usi("startpos moves 7g7f").unwrap(),
        moves: vec![made("3c3d"), made("2g2f")],
        verdict: Verdict { winner: Some(Color::Black), ending },
        detail: "5e5d".to_owned(),
        cpu: [None, Some(Duration::from_secs(1))],
    };
    MatchGame { number: 0, opening: 0, first: Color::Black, game }
}

#[test]
fn games_are_readable_and_read_back() {
    let game = game();
    let json = to_value(&game).unwrap();
    assert_eq!(json["game"]["moves"][0]["move"], "3c3d");
    assert_eq!(
        json["game"]["verdict"],
        json!({ "winner": "b", "ending": { "fault": "illegal_move" } })
    );
    assert_eq!(from_value::<MatchGame>(json).unwrap(), game);
}

#[test]
fn settings_read_back() {
    let adjudication = Adjudication { score_cp: 2_000, moves: 3 };
    let rules = Rules { adjudication: Some(adjudication), ..Rules::default() };
    assert_eq!(from_value::<Rules>(to_value(&rules).unwrap()).unwrap(), rules);
    assert_eq!(from_str::<Rules>("{}").unwrap(), Rules::default());
    let control: TimeControl = from_str(r#"{"nodes":1000}"#).unwrap();
    assert_eq!(control, TimeControl { nodes: Some(1_000), ..TimeControl::default() });
    let settings = Match {
        openings: vec![Opening::from_usi("startpos moves 7g7f 8c8d").unwrap()],
        games: 10,
        random_plies: 4,
        controls: [control, TimeControl::default()],
        rules,
        seed: 7,
    };
    let json = to_value(&settings).unwrap();
    let read: Match = from_value(json.clone()).unwrap();
    assert_eq!(read.openings, settings.openings);
    assert_eq!(to_value(&read).unwrap(), json);
}

#[test]
fn statistics_are_numbers_and_words() {
    let results = Pentanomial::from_counts([2, 40, 100, 60, 8]);
    let json = to_value(results).unwrap();
    assert_eq!(json, json!([2, 40, 100, 60, 8]));
    assert_eq!(from_value::<Pentanomial>(json).unwrap(), results);
    let elo = results.elo().unwrap();
    assert_eq!(to_value(elo).unwrap()["elo"], elo.elo);
    let test = Sprt::new(0.0, 5.0).unwrap().with_errors(0.05, 0.1).unwrap();
    assert_eq!(to_value(test.verdict(&results)).unwrap(), json!("undecided"));
    assert_eq!(from_str::<SprtVerdict>(r#""accepted""#).unwrap(), SprtVerdict::Accepted);
    assert_eq!(from_value::<Sprt>(to_value(test).unwrap()).unwrap(), test);
    assert_eq!(from_str::<Sprt>(r#"{"elo0":0,"elo1":5}"#).unwrap(), Sprt::new(0.0, 5.0).unwrap());
    let usage = Usage { moves: 3, time: Duration::from_secs(2), ..Usage::default() };
    assert_eq!(from_value::<Usage>(to_value(usage).unwrap()).unwrap(), usage);
}

#[test]
fn a_tally_shows_its_sums() {
    let mut tally = Tally::default();
    tally.add(&game());
    let json = to_value(&tally).unwrap();
    assert_eq!(json["games"], 1);
    assert_eq!(json["wins_draws_losses"], json!([1, 0, 0]));
    assert_eq!(json["black_draw_white"], json!([1, 0, 0]));
    assert_eq!(json["pairs"], json!([0, 0, 0, 0, 0]));
    let ending = json!({ "ending": { "fault": "illegal_move" }, "loser": 1, "games": 1 });
    assert_eq!(json["endings"], json!([ending]));
    assert_eq!(json["usage"][0]["moves"], 1);
}

#[test]
fn results_are_counted_by_color() {
    let mut tally = Tally::default();
    let (win, loss) = (Some(Color::Black), Some(Color::White));
    for (number, first, winner) in [
        (0, Color::Black, win),
        (1, Color::White, win),
        (2, Color::Black, None),
        (3, Color::White, loss),
        // The partner of this one is missing.
        (4, Color::Black, loss),
    ] {
        let mut played = MatchGame { number, first, ..game() };
        played.game.verdict.winner = winner;
        tally.add(&played);
    }
    assert_eq!(tally.wins_draws_losses(), [2, 1, 2]);
    assert_eq!(tally.wins_draws_losses_by_color(), [[1, 1, 1], [1, 0, 1]]);
    assert_eq!(tally.black_draw_white(), [2, 1, 2]);
    assert_eq!(tally.wins_draws_losses_by_color_in_pairs(), [[1, 1, 0], [1, 0, 1]]);
    assert_eq!(tally.wins_draws_losses_in_pairs(), [2, 1, 1]);
    let json = to_value(&tally).unwrap();
    assert_eq!(json["wins_draws_losses_by_color"], json!([[1, 1, 1], [1, 0, 1]]));
}

#[test]
fn impossible_values_are_refused() {
    for bad in [
        r#"{"elo0":5,"elo1":0}"#,
        r#"{"elo0":0,"elo1":5,"alpha":0.5}"#,
        r#"{"elo0":0,"elo1":5000}"#,
        r#"{"elo0":0,"elo1":5,"gamma":0.1}"#,
    ] {
        assert!(from_str::<Sprt>(bad).is_err(), "{bad}");
    }
    for bad in ["[1,2,3]", "[-1,0,0,0,0]", "[18446744073709551615,1,0,0,0]"] {
        assert!(from_str::<Pentanomial>(bad).is_err(), "{bad}");
    }
    for moves in ["7g7e", "7g7f 7c7d 7g7f"] {
        let json = to_value(UsiPosition::from_usi(&format!("startpos moves {moves}")).unwrap());
        let error = from_value::<Opening>(json.unwrap()).unwrap_err().to_string();
        assert!(error.contains("illegal"), "{error}");
    }
    assert!(from_str::<Rules>(r#"{"max_ply":320}"#).is_err());
    assert!(from_str::<TimeControl>(r#"{"main":{"secs":-1,"nanos":0}}"#).is_err());
    assert!(from_str::<Ending>(r#""boredom""#).is_err());
}
