//! The structure of the page, for all records.

use std::collections::BTreeSet;

use komadai_core::{Color, Handicap, Language, Score, Setup};
use komadai_kifu::{
    Comment, End, EndKind, Header, HeaderKey, Line, Loaded, Notation, Record, RecordMove,
    Tolerance, parse_csa, parse_ki2, parse_kif, parse_usi_games,
};
use komadai_report::{GamePage, GraphPoint, PointMark, SideFigures, SvgPieces};
use komadai_testdata::kifu;

use crate::markup::Markup;

/// A text that would break out of every context of the page.
const HOSTILE: &str =
    "</script><script>alert(1)</script>\"'>]]>--><img src=x onerror=alert(1)>&amp;\u{1}\u{202e}";

/// Checks that a page is well formed, refers to no other file, and that its links lead to its
/// parts.
fn check(page: &str) -> Markup {
    let markup = Markup::check(page).unwrap_or_else(|fault| panic!("{fault}\n{page}"));
    assert_eq!((markup.count("script"), markup.count("style"), markup.count("h1")), (1, 1, 1));
    let tags = page.split('<').filter_map(|tag| tag.split('>').next());
    for tag in tags.filter(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic())) {
        let attributes: Vec<&str> = tag.split('"').step_by(2).collect();
        for forbidden in [" src=", " on", " style="] {
            let found = attributes.iter().any(|part| part.contains(forbidden));
            assert!(!found, "<{tag}> has {forbidden}");
        }
    }
    let values = |name: &str| -> Vec<&str> {
        let start = format!(" {name}=\"");
        page.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    };
    let ids = values("id");
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len(), "an identifier occurs twice");
    for link in values("href") {
        let target = link.strip_prefix('#').expect("links stay in the page");
        assert!(unique.contains(target), "{link} leads nowhere");
    }
    for parent in values("data-p") {
        assert!(unique.contains(parent), "{parent} does not exist");
    }
    markup
}

fn records() -> impl Iterator<Item = (&'static str, Loaded)> {
    let lenient = Tolerance::Lenient;
    let csa = kifu::samples().map(move |s| (s.name, parse_csa(s.bytes, lenient)));
    let kif = kifu::kif_samples().map(move |s| (s.name, parse_kif(s.bytes, lenient)));
    let ki2 = kifu::ki2_samples().map(move |s| (s.name, parse_ki2(s.bytes, lenient)));
    csa.chain(kif).chain(ki2).filter_map(|(name, loaded)| Some((name, loaded.ok()?)))
}

/// The page of a game in Japanese.
fn japanese(record: &Record) -> String {
    GamePage { language: Language::Japanese, ..GamePage::new(record) }.to_string()
}

#[test]
fn every_record_has_a_page() {
    let (mut pages, mut variations) = (0, 0);
    for (name, loaded) in records() {
        for record in &loaded.records {
            for language in [Language::English, Language::Japanese] {
                let page = GamePage { language, ..GamePage::new(record) }.to_string();
                let markup = check(&page);
                let lines = record.variations.len() + 1;
                assert_eq!(markup.count("ol"), lines, "{name}");
                let moves: usize = record.variations.iter().map(|line| line.moves.len()).sum();
                let positions = page.matches(" data-s=\"").count();
                assert!(positions <= 1 + moves + record.moves.len(), "{name}");
                variations += record.variations.len();
                pages += 1;
            }
        }
    }
    assert!(pages > 300 && variations > 20, "{pages} {variations}");
}

#[test]
fn pages_of_long_analysed_games_are_small() {
    let mut seen = 0;
    for (name, loaded) in records() {
        let long = loaded.records.iter().filter(|record| record.moves.len() >= 120);
        for record in long.filter(|record| record.analyses(Line::Main).len() >= 120) {
            let page = japanese(record);
            assert!(page.len() < 180_000, "{name}: {} bytes", page.len());
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen}");
}

/// A record whose texts are all hostile.
pub(super) fn hostile() -> Record {
    let mut record = Record::new(Setup::hirate());
    let mut header = Header::default();
    for key in [HeaderKey::Black, HeaderKey::White, HeaderKey::Event, HeaderKey::Note] {
        header.push(key, HOSTILE);
    }
    header.push(HeaderKey::Custom(HOSTILE.to_owned()), format!("{HOSTILE}\n{HOSTILE}"));
    record.header = header;
    let comments = || vec![Comment::Note(HOSTILE.to_owned()), Comment::Note("* 900".to_owned())];
    record.comments = comments();
    record.bookmark = Some(HOSTILE.to_owned());
    record.moves = ["7g7f", "3c3d"].map(|m| RecordMove::new(m.parse().unwrap())).to_vec();
    record.moves[1].comments = comments();
    let mut end = End::new(EndKind::Other(HOSTILE.to_owned()));
    end.comments = comments();
    record.end = Some(end.clone());
    let line = record.add_variation(Line::Main, 2).unwrap();
    let mut played = RecordMove::new("8c8d".parse().unwrap());
    played.comments = comments();
    record.moves_of_mut(line).push(played);
    *record.end_of_mut(line) = Some(end);
    record
}

#[test]
fn texts_of_the_record_are_never_markup() {
    let record = hostile();
    let escaped = "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
    for language in [Language::English, Language::Japanese] {
        let points = [GraphPoint {
            label: Some(HOSTILE.to_owned()),
            ..GraphPoint::new(1, Some(Score::cp(-900)))
        }];
        let pages = [
            GamePage { language, ..GamePage::new(&record) },
            GamePage {
                language,
                title: Some(HOSTILE.to_owned()),
                points: Some(points.to_vec()),
                ..GamePage::new(&record)
            },
        ];
        for page in pages.map(|page| page.to_string()) {
            let markup = check(&page);
            assert_eq!(markup.count("img"), 0);
            let script = page.find("<script>").unwrap();
            assert!(!page[..script].contains("<script"), "one script, the last element");
            assert!(!page.contains("alert(1)</script>") && !page.contains('\u{1}'));
            // Title, heading, players, header, comments, ends.
            assert!(page.matches(escaped).count() >= 12, "{}", page.matches(escaped).count());
        }
    }
}

#[test]
fn the_page_holds_positions_moves_and_texts() {
    let text = "先手：甲\n後手：乙\n棋戦：試験\n手合割：平手\n1 ７六歩(77) ( 0:05/00:00:05)\n*初手\n\
                2 ３四歩(33) ( 1:05/00:01:05)\n3 ２二角成(88) ( 0:07/00:00:12)\n4 投了\n\n\
                変化：2手\n2 ８四歩(83)\n";
    let record = parse_kif(text, Tolerance::Strict).unwrap().records.remove(0);
    let page = japanese(&record);
    check(&page);
    for part in [
        "<html lang=\"ja\">",
        "<title>甲 対 乙</title>",
        "3手で先手の勝ち（<bdi>投了</bdi>）",
        "<dt>棋戦</dt><dd><bdi>試験</bdi></dd>",
        "data-s=\"lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -\" data-m=\"7g7f\">",
        "data-m=\"8h2b+\"><a href=\"#n3\"><b>3</b><span class=\"m\">▲２二角成</span></a>",
        "<span class=\"t\" title=\"0:12\">0:07</span>",
        "<div class=\"c\"><p><bdi>初手</bdi></p></div>",
        "<a class=\"fork\" href=\"#v1\">変化1</a>",
        "<h3>変化1：2手目</h3>\n<ol class=\"line\" id=\"v1\" data-p=\"n1\">",
        "<div id=\"controls\" hidden>",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("<section class=\"graph\">"), "no evaluations, no graph");
    let english = GamePage::new(&record).to_string();
    for part in
        ["Black wins, 3 moves", ">Bx2b+<", "Variation 1, at move 2", "data-pieces=\"letters\""]
    {
        assert!(english.contains(part), "{part}");
    }
    let (notation, pieces) = (Some(Notation::Usi), Some(SvgPieces::Kanji));
    let mixed = GamePage { notation, pieces, ..GamePage::new(&record) };
    let mixed = mixed.to_string();
    assert!(mixed.contains(">8h2b+<") && mixed.contains("data-pieces=\"kanji\""));
}

#[test]
fn handicaps_have_their_names() {
    let record = Record::new(Handicap::TwoPiece.to_setup());
    let page = japanese(&record);
    assert!(page.contains("△ <bdi>上手</bdi>") && page.contains("▲ <bdi>下手</bdi>"));
    let even = Record::new(Setup::hirate());
    let page = GamePage { language: Language::Japanese, ..GamePage::new(&even) };
    assert!(page.to_string().contains("▲ <bdi>先手</bdi>"));
}

#[test]
fn evaluations_may_come_from_the_caller() {
    let mut record = Record::new(Setup::hirate());
    record.moves = ["7g7f", "3c3d", "8h2b+"].map(|m| RecordMove::new(m.parse().unwrap())).to_vec();
    let scores = [30, 40, 1_000, 900].map(|cp| Some(Score::cp(cp)));
    let points = (0..).zip(scores).map(|(ply, score)| GraphPoint::new(ply, score));
    let with_points = |points| GamePage { points: Some(points), ..GamePage::new(&record) };
    let mut points: Vec<GraphPoint> = points.collect();
    let page = with_points(points.clone()).to_string();
    check(&page);
    assert!(page.contains("<em>??</em><span class=\"v\">+1000</span>"), "{page}");
    assert!(page.contains("data-last=\"3\""));
    // Marks of the caller are kept.
    points[3].mark = Some(PointMark::Mistake);
    let page = with_points(points).to_string();
    assert!(
        page.contains("<em>?</em><span class=\"v\">+900</span>") && !page.contains("<em>??</em>")
    );
}

#[test]
fn records_that_cannot_be_replayed_have_pages() {
    // An illegal move, then moves after it.
    let mut record = Record::new(Setup::hirate());
    record.moves = ["7g7f", "5a5i", "2g2f"].map(|m| RecordMove::new(m.parse().unwrap())).to_vec();
    let page = GamePage::new(&record).to_string();
    check(&page);
    assert_eq!(page.matches(" class=\"illegal\"").count(), 2);
    assert_eq!(page.matches(" data-s=\"").count(), 2);
    // Variations that begin after it, or that no line has.
    let line = record.add_variation(Line::Main, 3).unwrap();
    record.moves_of_mut(line).push(RecordMove::new("1g1f".parse().unwrap()));
    let line = record.add_variation(Line::Main, 1).unwrap();
    record.moves_of_mut(line).push(RecordMove::new("1g1f".parse().unwrap()));
    let empty = record.add_variation(Line::Main, 1).unwrap();
    assert_eq!(empty, Line::Variation(2));
    record.variations.push(record.variations[1].clone());
    record.variations[3].parent = Line::Variation(3);
    let page = GamePage::new(&record).to_string();
    assert_eq!(check(&page).count("ol"), 4, "{page}");
    assert_eq!(page.matches(" data-s=\"").count(), 3);
    // Impossible and empty positions.
    for setup in [Setup::empty(), Setup { side: Color::White, ..Setup::empty() }] {
        let mut record = Record::new(setup);
        check(&GamePage::new(&record).to_string());
        record.moves.push(RecordMove::new("7g7f".parse().unwrap()));
        check(&japanese(&record));
    }
}

/// The text of the list of moves, without tags.
fn words(page: &str) -> String {
    text(part(page, "<ol class=\"line\">", "</ol>"))
}

/// The text of an element from the end of its start tag on, without tags.
fn text(element: &str) -> String {
    let parts = element.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
    parts.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join(" ")
}

#[test]
fn fouls_are_shown_as_moves() {
    for (text, japanese, english) in [
        // The king is left in check.
        (
            "1 ７六歩(77)\n2 ３四歩(33)\n3 ５八金(49)\n4 ７七角成(22)\n5 ２六歩(27)\n6 反則勝ち\n",
            "▲２六歩 反則",
            "P-2f foul",
        ),
        // Two pawns on a file.
        (
            "手合割：角落ち\n1 ８四歩(83)\n2 ７六歩(77)\n3 ８五歩(84)\n4 ７五歩(76)\n5 ８六歩(85)\n\
             6 同　歩(87)\n7 同　飛(82)\n8 ７四歩(75)\n9 ２四歩打\n10 反則勝ち\n",
            "△２四歩打 反則",
            "P*2d foul",
        ),
        // The rook jumps, and the game goes on.
        ("1 ２三飛(28)\n2 ３四歩(33)\n3 反則勝ち\n", "▲２三飛 反則", "Rx2c foul"),
    ] {
        let record = parse_kif(text, Tolerance::Lenient).unwrap().records.remove(0);
        let page = |language| GamePage { language, ..GamePage::new(&record) }.to_string();
        let (in_japanese, in_english) = (page(Language::Japanese), page(Language::English));
        check(&in_japanese);
        assert!(words(&in_japanese).contains(japanese), "{}", words(&in_japanese));
        assert!(words(&in_english).contains(english), "{}", words(&in_english));
        assert!(!in_japanese.contains("表示不可") && !in_english.contains("not shown"));
        assert_eq!(in_japanese.matches(" data-m=\"").count(), record.moves.len());
    }
}

#[test]
fn moves_after_a_foul_have_names_and_boards() {
    // White stays in check, and then takes with the piece that gave it.
    let line = "startpos moves 7g7f 3c3d 8h3c+ 8c8d 3c2b 3a2b";
    let record = parse_usi_games(line, Tolerance::Lenient).unwrap().records.remove(0);
    let page = japanese(&record);
    let words = words(&page);
    assert!(words.contains("△８四歩 反則") && words.contains("△２二銀"), "{words}");
    assert_eq!(words.matches("反則").count(), 1, "only the first is one: {words}");
}

#[test]
fn compositions_that_no_game_reaches_have_pages() {
    let setup = Setup::from_sfen("4P3k/4P4/4P4/4P4/4P4/4P4/4P4/4P4/4P4 b G 1").unwrap();
    let mut record = Record::new(setup);
    record.moves.push(RecordMove::new("G*1b".parse().unwrap()));
    let page = japanese(&record);
    check(&page);
    assert!(words(&page).contains("▲１二金") && !words(&page).contains("反則"), "{}", words(&page));
}

#[test]
fn bookmarks_remarks_and_names_of_sides_are_shown_for_people() {
    let text = "手合割：香落ち\n下手：A\n上手：B\n備考：昼休前66手目15分\\n二行目\\n\n先手省略名：あ\n&開始局面\n\
                1 ３四歩(33)\n&基本図\n*注\n2 ７六歩(77)\n3 投了\n";
    let record = parse_kif(text, Tolerance::Strict).unwrap().records.remove(0);
    let page = |language| GamePage { language, ..GamePage::new(&record) }.to_string();
    let (japanese, english) = (page(Language::Japanese), page(Language::English));
    for page in [&japanese, &english] {
        check(page);
        assert!(words(page).contains("開始局面") && words(page).contains("基本図 注"));
        assert!(page.contains("昼休前66手目15分<br>二行目</bdi>") && !page.contains("\\n</bdi>"));
    }
    assert!(japanese.contains("2手で下手の勝ち"), "a handicap game has other sides");
    assert!(japanese.contains("先手省略名") && english.contains("Black, short name"));
    // The KIF that can be copied keeps them.
    let (shown, kif) = english.split_once("<pre id=\"kif\" hidden>").unwrap();
    assert!(!shown.contains("先手省略名") && kif.contains("先手省略名：あ"));
}

/// The text of an element by its start tag.
fn part<'p>(page: &'p str, start: &str, end: &str) -> &'p str {
    page.split(start).nth(1).unwrap_or_default().split(end).next().unwrap_or_default()
}

#[test]
fn both_sides_are_summed_up() {
    let game = "V2\nN+A\nN-B\nPI\n+\n'** 30\n+7776FU\n'** 40 -3334FU +2726FU\n-9192KY\n'** 900\n\
                +2726FU\n'** 850\n-3334FU\n'** 860\n%TORYO\n";
    let record = parse_csa(game, Tolerance::Strict).unwrap().records.remove(0);
    let plain = GamePage::new(&record).to_string();
    check(&plain);
    let sides = text(part(&plain, "<section class=\"sides\">", "</section>"));
    // Black loses little; White 0.3 of the winning probability with one of two moves.
    let expected = "▲  A  97.2 0 0 0 △  B  61.8 0 0 1 first mistake: 2";
    assert!(sides.ends_with(expected), "{sides}");
    assert!(plain.contains("<a href=\"#n2\">first mistake: 2</a>"));
    // The better move is that of the line before.
    assert!(plain.contains("data-m=\"9a9b\" data-g=\"3c3d\""), "{plain}");
    assert!(plain.contains("<p class=\"pv\" data-l=\"3c3d 2g2f\">expected:"), "{plain}");
    let figures =
        [SideFigures { average_loss_cp: Some(7.0), agreement: Some(0.5) }, SideFigures::default()];
    let page =
        GamePage { sides: Some(figures), language: Language::Japanese, ..GamePage::new(&record) };
    let page = page.to_string();
    let sides = text(part(&page, "<section class=\"sides\">", "</section>"));
    assert!(sides.contains("平均損失 一致率"), "{sides}");
    assert!(sides.contains(" 7 50 % 0 0 0") && sides.contains("– – 0 0 1"), "{sides}");
    // Without values there is nothing to sum up.
    let bare = parse_csa("PI\n+\n+7776FU\n", Tolerance::Strict).unwrap().records.remove(0);
    assert!(!GamePage::new(&bare).to_string().contains("class=\"sides\""));
}

#[test]
fn links_and_copies_say_what_the_game_is() {
    let text = "V2\nN+A\nN-B\n$EVENT:Final \"1\"\nPI\n+\n+7776FU\n%TORYO\n";
    let record = parse_csa(text, Tolerance::Strict).unwrap().records.remove(0);
    let page = GamePage::new(&record).to_string();
    let summary = "Final &quot;1&quot;, Black wins, 1 move";
    assert!(page.contains(&format!("<meta name=\"description\" content=\"{summary}\">")));
    assert!(page.contains("<meta property=\"og:title\" content=\"A – B\">"));
    let kif = part(&page, "<pre id=\"kif\" hidden>", "</pre>");
    let again = parse_kif(kif.trim_start(), Tolerance::Strict).unwrap().records.remove(0);
    assert_eq!(again.moves, record.moves);
    assert!(page.contains(concat!("Made with komadai ", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn many_nested_variations_are_a_flat_list() {
    let mut record = Record::new(Setup::hirate());
    let cycle = ["2h3h", "8b7b", "3h2h", "7b8b"];
    let moves = cycle.iter().cycle().map(|m| RecordMove::new(m.parse().unwrap()));
    record.moves = moves.take(1_000).collect();
    let mut line = Line::Main;
    for ply in 2..1_000 {
        line = record.add_variation(line, ply).unwrap();
        let m = cycle[(ply - 1) % 4];
        record.moves_of_mut(line).extend([0, 1].map(|next| {
            let m = if next == 0 { m } else { cycle[ply % 4] };
            RecordMove::new(m.parse().unwrap())
        }));
    }
    let page = GamePage::new(&record).to_string();
    assert_eq!(check(&page).count("ol"), 999);
}
