//! KIF and KI2 files, compared with the results of four other readers, and the peculiarities of
//! real files.

use komadai_core::{Color, Setup};
use komadai_kifu::{Comment, EndKind, Line, Outcome, Record, Tolerance, parse_ki2, parse_kif};
use komadai_testdata::kifu::{End, Sample, ki2_samples, kif_samples};

fn read(sample: &Sample) -> Record {
    let loaded = match sample.name.contains(".ki2") {
        true => parse_ki2(sample.bytes, Tolerance::Lenient).unwrap(),
        false => parse_kif(sample.bytes, Tolerance::Lenient).unwrap(),
    };
    let mut records = loaded.records;
    // Fouls are part of some games; nothing else is skipped.
    let fouls = loaded.skipped.first().iter().all(|fault| fault.to_string().contains("illegal"));
    assert!(fouls, "{}: {}", sample.name, loaded.skipped);
    assert_eq!(records.len(), 1, "{}", sample.name);
    records.remove(0)
}

fn matches(kind: Option<&EndKind>, expected: End) -> bool {
    match (kind, expected) {
        (None, End::Unmarked) => true,
        (Some(EndKind::Resign), End::Resign) => true,
        (Some(EndKind::Interrupt), End::Interrupt) => true,
        (Some(EndKind::Checkmate), End::Checkmate | End::Other("49手詰")) => true,
        (Some(EndKind::Repetition), End::Repetition) => true,
        (Some(EndKind::TimeUp), End::TimeUp) => true,
        (Some(EndKind::Impasse), End::Impasse) => true,
        (Some(EndKind::IllegalLoss), End::IllegalLoss) => true,
        (Some(EndKind::Other(word)), End::Other(expected)) => word == expected,
        _ => false,
    }
}

fn lines(record: &Record) -> impl Iterator<Item = Line> {
    let variations = (0..record.variations.len()).map(Line::Variation);
    std::iter::once(Line::Main).chain(variations)
}

fn has_note(comments: &[Comment]) -> bool {
    comments.iter().any(|comment| matches!(comment, Comment::Note(_)))
}

fn check(record: &Record, sample: &Sample) {
    let (name, expected) = (sample.name, sample.expected);
    assert_eq!(record.setup.to_string(), expected.initial_sfen, "{name}");
    let moves: Vec<String> = record.moves.iter().map(|played| played.m.to_string()).collect();
    assert_eq!(moves.join(" "), sample.main_line, "{name}");
    let end = record.end.as_ref().map(|end| &end.kind);
    assert!(matches(end, expected.end), "{name}: {end:?}, expected {:?}", expected.end);
    let outcome = match record.outcome() {
        Outcome::Win(Color::Black) => komadai_testdata::Outcome::BlackWins,
        Outcome::Win(Color::White) => komadai_testdata::Outcome::WhiteWins,
        Outcome::Draw => komadai_testdata::Outcome::Draw,
        Outcome::Unknown => komadai_testdata::Outcome::Unknown,
    };
    if !matches!(expected.end, End::Other(_)) {
        assert_eq!(outcome, expected.winner, "{name}");
    }
    let player = |color| record.header.player(color).unwrap_or_default();
    assert_eq!(player(Color::Black), expected.black, "{name}");
    assert_eq!(player(Color::White), expected.white, "{name}");
    assert_eq!(record.variations.len(), expected.variations, "{name}");
    let nodes: usize = lines(record).map(|line| record.moves_of(line).len()).sum();
    assert_eq!(nodes, expected.move_nodes, "{name}");
    let noted =
        lines(record).flat_map(|line| record.moves_of(line)).filter(|m| has_note(&m.comments));
    let ends = lines(record).filter_map(|line| record.end_of(line));
    let ends_noted = ends.filter(|end| has_note(&end.comments)).count();
    let start_noted = usize::from(has_note(&record.comments));
    assert_eq!(noted.count() + ends_noted + start_noted, expected.comment_nodes, "{name}");
}

#[test]
fn every_kif_sample_is_read_as_expected() {
    for sample in kif_samples() {
        let record = read(&sample);
        check(&record, &sample);
        let timed = lines(&record).flat_map(|line| {
            let end = record.end_of(line).and_then(|end| end.time);
            record.moves_of(line).iter().map(|m| m.time).chain([end])
        });
        let timed = timed.flatten().filter(|time| !time.is_zero()).count();
        // The other reader does not read the times of this program, `(00:01 / 00:00:01)`.
        let expected = match sample.name.starts_with("skc__kif_Shogidokoro") {
            true => 132,
            false => sample.expected.timed_nodes,
        };
        assert_eq!(timed, expected, "{}", sample.name);
        let last = record.replay(|_, _| std::ops::ControlFlow::Continue(()));
        if let Ok(last) = last {
            let last = Setup { ply: 1, ..last.to_setup() };
            assert_eq!(last.to_string(), sample.expected.final_sfen, "{}", sample.name);
        }
    }
}

#[test]
fn every_kif_sample_is_read_back_as_it_was_written() {
    for sample in kif_samples() {
        let record = read(&sample);
        let text = record.to_kif().unwrap();
        let again = parse_kif(&text, Tolerance::Lenient).unwrap().records.remove(0);
        assert_eq!(record.losses(&again), [], "{}\n{text}", sample.name);
        assert_eq!(again.losses(&record), [], "{}\n{text}", sample.name);
        assert_eq!(again.to_kif().unwrap(), text, "{}", sample.name);
    }
}

#[test]
fn every_ki2_sample_is_read_as_expected_and_read_back() {
    for sample in ki2_samples() {
        let record = read(&sample);
        check(&record, &sample);
        let text = record.to_ki2().unwrap();
        let again = parse_ki2(&text, Tolerance::Strict).unwrap().records.remove(0);
        assert_eq!(record.losses(&again), [], "{}\n{text}", sample.name);
        assert_eq!(again.losses(&record), [], "{}\n{text}", sample.name);
    }
}
