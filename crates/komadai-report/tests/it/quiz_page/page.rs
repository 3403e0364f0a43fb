//! The content of the page.

use komadai_core::{Bound, Language, Move, Position, Score};
use komadai_report::{QuizChoice, QuizPage, QuizPrompt, QuizQuestion};

use crate::markup::Markup;

fn moves(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|m| m.parse().unwrap()).collect()
}

fn choice(line: &str, cp: i32, was_played: bool) -> QuizChoice {
    QuizChoice { line: moves(line), score: Score::cp(cp), bound: Bound::Exact, was_played }
}

/// Two questions: a bishop to be taken, for Black, and one for White, who holds a bishop and may
/// promote another piece.
pub(super) fn questions() -> Vec<QuizQuestion> {
    let mut first = Position::hirate();
    moves("7g7f 3c3d 6g6f 2b6f").into_iter().for_each(|m| first.do_move(m));
    let choices = vec![
        choice("8h6f 8c8d 2g2f", 900, false),
        choice("2g2f 6f8h+ 7i8h", -800, false),
        choice("9g9f 6f8h+", -850, true),
    ];
    let mistake = QuizQuestion { position: first, prompt: QuizPrompt::Mistake, choices };
    let second = Position::from_sfen("4k4/9/9/9/9/9/4r4/9/5K3 w 2b 10").unwrap();
    let mate = QuizChoice { score: Score::mate_in(3), ..choice("5g5h+ 4i3i B*4g", 0, true) };
    let choices = vec![mate, choice("B*5c", 700, false)];
    let only = QuizQuestion { position: second, prompt: QuizPrompt::OnlyMove, choices };
    vec![mistake, only]
}

pub(super) fn page(language: Language) -> QuizPage {
    let title = "<b> & 一郎".to_owned();
    QuizPage { language, questions: questions(), ..QuizPage::new(title) }
}

#[test]
fn questions_have_boards_choices_and_folded_answers() {
    for (language, words) in [
        (
            Language::English,
            [
                "<title>&lt;b&gt; &amp; 一郎</title>",
                "2 questions: find the next move",
                "1. Black to move (move 5)",
                "2. White to move (move 10)",
                "One move only keeps the game.",
                "data-m=\"8h6f\"><span class=\"v\">+900</span>",
                "<em>played</em>",
                "<span class=\"v\">−mate 3</span>",
                ">Bx6f</button>",
            ],
        ),
        (
            Language::Japanese,
            [
                "<html lang=\"ja\">",
                "次の一手　全2問",
                "第1問　5手目、先手番",
                "第2問　10手目、後手番",
                "この一手しかありません",
                "data-m=\"8h6f\"><span class=\"v\">+900</span>",
                "<em>実戦</em>",
                "<span class=\"v\">−詰 3手</span>",
                ">▲同角</button>",
            ],
        ),
    ] {
        let text = page(language).to_string();
        for word in words {
            assert!(text.contains(word), "no {word:?} in {text}");
        }
        let markup = Markup::check(&text).unwrap();
        assert_eq!(
            (markup.count("article"), markup.count("svg"), markup.count("script")),
            (2, 2, 1)
        );
        assert_eq!((markup.count("details"), markup.count("li")), (2, 5));
    }
}

#[test]
fn the_order_of_the_choices_does_not_tell_the_solution() {
    let text = page(Language::English).to_string();
    let buttons = text.split("<p class=\"choices\">").nth(1).unwrap().split("</p>").next().unwrap();
    let order: Vec<&str> =
        buttons.split("data-m=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(order, ["2g2f", "8h6f", "9g9f"]);
    assert!(text.contains("data-best=\"8h6f\" data-legal=\""));
}
