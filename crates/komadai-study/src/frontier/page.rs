//! The numbers of the study, and its page.

use komadai::bookgraph::frontier::{BookSides, OwnMoves, Window};

use crate::claim::Bound::{Above, Below, Within};
use crate::claim::{Claim, Test};
use crate::figure::Figure;
use crate::findings::Findings;
use crate::frontier::book::Book;
use crate::frontier::measure::{EVAL_DIFFS, PlyCounts, Study};
use crate::frontier::options::FrontierStudyOptions;
use crate::page::{Block, Cell, Page, Section, Table, Work};
use crate::words::{Words, words};

/// The name of the study.
pub(crate) const NAME: &str = "frontier";

/// Positions of the author's book, and those of its frontier with a window of 30.
const THEIR_POSITIONS: f64 = 5_000_000.0;
const THEIR_FRONTIER: f64 = 250_000.0;

/// The width of the author's number.
const THEIR_DIFF: f64 = 30.0;

/// Nodes of each position of the author's book.
const THEIR_NODES: f64 = 200_000_000.0;

/// The windows of the table: key, window, side and name.
const WINDOWS: [(&str, Window, BookSides, [&str; 2]); 5] = [
    ("free", Window::Free, BookSides::Both, ["both sides free", "両者とも範囲内"]),
    (
        "best black",
        Window::Best,
        BookSides::Black,
        ["Black's book, [e − d, e]", "先手の定跡 [e − d, e]"],
    ),
    (
        "best white",
        Window::Best,
        BookSides::White,
        ["White's book, [e − d, e]", "後手の定跡 [e − d, e]"],
    ),
    (
        "root black",
        Window::Root,
        BookSides::Black,
        ["Black's book, [s − d, e]", "先手の定跡 [s − d, e]"],
    ),
    (
        "root white",
        Window::Root,
        BookSides::White,
        ["White's book, [s − d, e]", "後手の定跡 [s − d, e]"],
    ),
];

/// Returns the number of positions to search next.
fn frontier(study: &Study, window: Window, side: BookSides, eval_diff: i32) -> Option<f64> {
    let column = EVAL_DIFFS.iter().position(|&diff| diff == eval_diff)?;
    let row = study.widths.iter().find(|row| {
        row.rule.window == window && row.rule.side == side && row.rule.own_moves == OwnMoves::First
    })?;
    Some(row.counts[column].frontier as f64)
}

/// Returns the positions of the frontiers of both sides' books.
fn both(study: &Study, window: Window, eval_diff: i32) -> Option<f64> {
    let of = |side| frontier(study, window, side, eval_diff);
    Some(of(BookSides::Black)? + of(BookSides::White)?)
}

/// Returns the exponents of Black's and White's lines at a row of the counts by move number.
fn exponents(row: &PlyCounts) -> Option<[f64; 2]> {
    let free = row.free_lines.ln();
    (free > 0.0).then(|| row.best_lines.map(|lines| lines.ln() / free))
}

pub(super) fn findings(books: &[Book], options: &FrontierStudyOptions, command: &str) -> Findings {
    let mut found = Findings::new(NAME, command);
    let mean = |value: &dyn Fn(&Book) -> Option<f64>| {
        let values: Vec<f64> = books.iter().filter_map(value).filter(|v| v.is_finite()).collect();
        Figure::mean_of(&values)
    };
    let diff = options.eval_diff;
    // The claims are about a width of the table.
    let width = EVAL_DIFFS.into_iter().min_by_key(|width| width.abs_diff(diff)).unwrap_or(30);
    let names: Vec<&str> = books.iter().map(|book| book.study.name.as_str()).collect();
    found.add_text("books", &names.join(", "));
    found.add_text("origin", if options.books.is_empty() { "grown" } else { "files" });
    found.add("books", Figure::exact(books.len() as f64, books.len() as u64));
    found.add("nodes", Figure::exact(options.nodes as f64, books.len() as u64));
    found.add("eval_diff", Figure::exact(f64::from(width), books.len() as u64));
    found.add_some("positions", mean(&|book| Some(book.study.positions as f64)));
    found.add_some("moves", mean(&|book| Some(book.study.moves as f64)));
    for (key, window, side, _) in WINDOWS {
        for diff in EVAL_DIFFS {
            let number = mean(&|book| frontier(&book.study, window, side, diff));
            found.add_some(format!("frontier {key} {diff}"), number);
        }
    }
    found.add_some("frontier both", mean(&|book| both(&book.study, Window::Best, width)));
    found.add_some(
        "part of the book",
        mean(&|book| Some(both(&book.study, Window::Best, width)? / book.study.positions as f64)),
    );
    found.add_some(
        "one side : both free",
        mean(&|book| {
            let free = frontier(&book.study, Window::Free, BookSides::Both, width)?;
            Some(both(&book.study, Window::Best, width)? / free)
        }),
    );
    found.add_some(
        "root : best",
        mean(&|book| {
            Some(both(&book.study, Window::Root, width)? / both(&book.study, Window::Best, width)?)
        }),
    );
    found.add_some(
        "exponent",
        mean(&|book| {
            let [black, white] = book.study.plies.iter().rev().find_map(exponents)?;
            Some((black + white) / 2.0)
        }),
    );
    let plies = books.iter().flat_map(|book| &book.study.plies).map(|row| row.max_ply);
    let plies: std::collections::BTreeSet<u32> = plies.collect();
    for ply in plies {
        let row = |book: &Book| book.study.plies.iter().position(|row| row.max_ply == ply);
        let of = |book: &Book| row(book).map(|index| book.study.plies[index].free_lines);
        found.add_some(format!("ply {ply} lines"), mean(&of));
        for (index, side) in ["black", "white"].into_iter().enumerate() {
            let lines = |book: &Book| Some(book.study.plies[row(book)?].best_lines[index]);
            found.add_some(format!("ply {ply} lines {side}"), mean(&lines));
            let exponent = |book: &Book| Some(exponents(&book.study.plies[row(book)?])?[index]);
            found.add_some(format!("ply {ply} exponent {side}"), mean(&exponent));
        }
    }
    found.add_some("refreshed", mean(&|book| book.refreshed));
    found
}

pub(crate) fn page(findings: &Findings) -> Page {
    let number = |key: &str| findings.get(key).map_or_else(String::new, |figure| figure.text(0));
    let value = |key: &str| {
        findings.get(key).map_or_else(String::new, |figure| format!("{:.0}", figure.value))
    };
    let [books, nodes, diff] = ["books", "nodes", "eval_diff"].map(value);
    let [positions, moves] = ["positions", "moves"].map(number);
    let names = findings.text("books").unwrap_or_default();
    let setting = if findings.text("origin") == Some("grown") {
        Words::new(
            format!(
                "Ours: {books} books, each grown from another part of 77 tournament games by the embedded \
                 engine with about {nodes} nodes a position; in the mean {positions} positions and {moves} \
                 moves. Numbers are means over the books, with intervals by the bootstrap over books."
            ),
            format!(
                "測定条件：大会の棋譜77局を{books}組に分け、それぞれから内蔵エンジンが1局面約{nodes}ノードで延ばした{books}個の定跡。\
                 平均{positions}局面、{moves}手。数値は定跡についての平均で、区間は定跡を単位とするブートストラップによる。"
            ),
        )
    } else {
        Words::new(
            format!(
                "Ours: {books} books ({names}), in the mean {positions} positions and {moves} moves. Numbers \
                 are means over the books."
            ),
            format!(
                "測定条件：{books}個の定跡（{names}）。平均{positions}局面、{moves}手。数値は定跡についての平均である。"
            ),
        )
    };
    let title = words("Claims of the source", "原典の主張");
    let sections = vec![
        Section::of_claims(title, &claims(), findings),
        numbers(findings, &diff),
        windows(findings),
        plies(findings),
    ];
    Page::new(findings, work(), setting, sections)
}

fn work() -> Work {
    Work {
        title: words(
            "Selecting the positions of a book to search next",
            "定跡で次に掘る局面の選び方",
        ),
        reference: words(
            "Yaneurao, \"The algorithm that generates the new Peta Shock book\" \
             (やねうらお「新ペタショック定跡の定跡生成アルゴリズムについて」), 31 October 2025.",
            "やねうらお「新ペタショック定跡の定跡生成アルゴリズムについて」2025年10月31日",
        ),
        summary: words(
            "A book for one side follows that side's best move only, and of the opponent every move within \
             `EvalDiff` of the best one. The positions where these lines leave the book are searched next. With s \
             the value of the root and e that of the best move, a later window is [s − EvalDiff, e] in place of \
             [e − EvalDiff, e].",
            "一方の側の定跡では、自分の手番では最善手だけを、相手の手番では最善手の評価値から `EvalDiff` 以内の手をすべてたどる。\
             定跡を抜ける局面（先端局面）を次に探索する。開始局面の評価値を s、最善手の評価値を e とすると、改良後の範囲は \
             [e − EvalDiff, e] ではなく [s − EvalDiff, e] である。",
        ),
    }
}

fn claims() -> Vec<Claim> {
    let addendum = || words("addendum of 1 November", "11月1日の追記");
    vec![
        Claim::new(
            words(
                "If one side plays its best move only, the number of lines is the square root of that with both sides \
                 free (2^50 in place of 2^100)",
                "自分の手番で最善手だけを選ぶと、手順の数は両者が範囲内の手を選ぶ場合の平方根になる（2の100乗が2の50乗に）",
            ),
            addendum(),
            [Test::new(
                "exponent",
                words(
                    "ln lines of one side's book : ln lines with both free",
                    "片側の定跡の手順数の対数 : 両者自由の手順数の対数",
                ),
                Within(0.4, 0.6),
            )
            .theirs(0.5)],
        ),
        Claim::new(
            words(
                "With both sides free the positions to search next explode",
                "両者とも範囲内の手をたどると組み合わせ爆発を起こす",
            ),
            addendum(),
            [Test::new(
                "one side : both free",
                words(
                    "frontiers of both one-sided books : frontier with both free",
                    "片側ずつの先端局面の合計 : 両者自由の先端局面",
                ),
                Below(1.0),
            )],
        ),
        Claim::new(
            words(
                "The lines leave the book at a small part of its positions only (250,000 of 5,000,000 at EvalDiff 30)",
                "定跡を抜けるときの局面は定跡全体のごく一部である（EvalDiff=30で500万局面に対し25万局面）",
            ),
            words("section on frontier nodes", "「frontier nodes」の節"),
            [Test::new(
                "part of the book",
                words("frontier : positions of the book", "先端局面 : 定跡の局面"),
                Below(2.0 * THEIR_FRONTIER / THEIR_POSITIONS),
            )
            .theirs(THEIR_FRONTIER / THEIR_POSITIONS)
            .decimals(3)],
        )
        .remark(words(
            "The bound is twice the source's part. Our books are far smaller, and more of a small book lies at its rim.",
            "基準は原典の割合の2倍とした。本測定の定跡ははるかに小さく、小さい定跡ほど先端の占める割合は大きい。",
        )),
        Claim::new(
            words(
                "The window from the root selects fewer positions than that from the best move",
                "[s − EvalDiff, e] の範囲は [e − EvalDiff, e] より展開する局面が少ない",
            ),
            addendum(),
            [root_to_best(1.0)],
        ),
        Claim::new(
            words(
                "It holds the explosion down considerably",
                "これにより組み合わせ爆発をかなり抑えられる",
            ),
            addendum(),
            [root_to_best(0.75)],
        )
        .remark(words(
            "\"Considerably\" is taken as a quarter less.",
            "「かなり」は4分の1以上の減少とした。",
        )),
        Claim::new(
            words(
                "After a change of the engine it is enough to search the frontier: its values come up to the root and \
                 so renew about the whole book that is played",
                "思考エンジンを更新したときは先端局面を掘れば、末端の評価値が初期局面の方向に上がってきて、おおよそ定跡全体を更新したことになる",
            ),
            words("section on updates of the engine", "「思考エンジンのアップデートについて」の節"),
            [Test::new(
                "refreshed",
                words(
                    "part of the positions on the lines kept whose value changed",
                    "たどる手順上の局面のうち評価値が変わった割合",
                ),
                Above(0.5),
            )],
        )
        .or("komadai study frontier")
        .remark(words(
            "The other engine is the evaluation `Classical`; it searches each frontier once. More than half is taken \
             as \"about the whole\".",
            "別のエンジンとして評価関数 `Classical` が各定跡の先端局面を1回だけ探索した。半分を超えれば「おおよそ全体」とした。",
        )),
        Claim::elsewhere(
            words(
                "A book of five million positions, each searched with about 200 million nodes, is grown in this way",
                "1局面約2億ノードの探索で500万局面の定跡をこの方法で生成している",
            ),
            words("first section", "冒頭"),
            "komadai-lab synthetic-book --positions 5000000 --out 5m.db; komadai book next 5m.db --side black --eval-diff 30",
        ),
    ]
}

fn root_to_best(bound: f64) -> Test {
    let measure = words(
        "frontier from the root : frontier from the best move",
        "[s − d, e] の先端局面 : [e − d, e] の先端局面",
    );
    Test::new("root : best", measure, Below(bound))
}

fn numbers(findings: &Findings, diff: &str) -> Section {
    let head = vec![words("number", "項目"), words("ours", "本測定"), words("source", "原典")];
    let row = |name: Words, key: &str, theirs: Option<f64>, decimals| {
        vec![
            Cell::label(name),
            Cell::ours(findings.get(key), decimals),
            Cell::theirs(theirs, decimals),
        ]
    };
    let rows = vec![
        row(words("positions of a book", "定跡の局面数"), "positions", Some(THEIR_POSITIONS), 0),
        row(words("nodes a position", "1局面あたりノード数"), "nodes", Some(THEIR_NODES), 0),
        row(words("EvalDiff", "EvalDiff"), "eval_diff", Some(THEIR_DIFF), 0),
        row(
            words("positions to search next", "先端局面数"),
            "frontier both",
            Some(THEIR_FRONTIER),
            0,
        ),
        row(
            words("part of the book", "定跡に対する割合"),
            "part of the book",
            Some(THEIR_FRONTIER / THEIR_POSITIONS),
            3,
        ),
    ];
    let text = Words::new(
        format!("Windows from the best move, EvalDiff {diff}, both sides' books together."),
        format!("範囲は最善手から。EvalDiff {diff}、先手と後手の定跡の合計。"),
    );
    let title = words("The source's numbers", "原典の数値");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}

fn windows(findings: &Findings) -> Section {
    let mut head = vec![words("window, d = EvalDiff", "範囲（d = EvalDiff）")];
    head.extend(EVAL_DIFFS.map(|diff| Words::same(diff.to_string())));
    let row = |(key, _, _, [english, japanese]): (&str, Window, BookSides, [&'static str; 2])| {
        let mut cells = vec![Cell::label(words(english, japanese))];
        cells.extend(EVAL_DIFFS.map(|diff| {
            let figure = findings.get(&format!("frontier {key} {diff}"));
            Cell::ours(figure.map(|figure| Figure::exact(figure.value, figure.count)), 1)
        }));
        cells
    };
    let rows = WINDOWS.map(row).to_vec();
    let text = words(
        "Positions to search next by EvalDiff, means over the books.",
        "EvalDiff ごとの先端局面数（定跡についての平均）。",
    );
    let title = words("Positions by window", "範囲別の先端局面数");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}

fn plies(findings: &Findings) -> Section {
    let head = vec![
        words("up to move", "手数"),
        words("lines, both free", "手順数、両者自由"),
        words("Black best only", "先手は最善手のみ"),
        words("White best only", "後手は最善手のみ"),
        words("exponent, Black", "指数、先手"),
        words("exponent, White", "指数、後手"),
    ];
    let mut rows = Vec::new();
    for ply in 1..=64 {
        let figure = |key: &str| findings.get(&format!("ply {ply} {key}"));
        let Some(lines) = figure("lines") else { continue };
        let plain = |figure: Option<Figure>| figure.map(|one| Figure::exact(one.value, one.count));
        rows.push(vec![
            Cell::label(Words::new(
                format!("{ply} (n = {})", lines.count),
                format!("{ply}（n = {}）", lines.count),
            )),
            Cell::ours(plain(Some(lines)), 1),
            Cell::ours(plain(figure("lines black")), 1),
            Cell::ours(plain(figure("lines white")), 1),
            Cell::ours(figure("exponent black"), 2),
            Cell::ours(figure("exponent white"), 2),
        ]);
    }
    let text = words(
        "The number of lines counts every transposition. The exponent of a side is the logarithm of the lines with its \
         best move only, divided by that of the lines with both sides free: 0.5 in a uniform tree. n is the number of \
         books that still grow at this move.",
        "手順の数は合流を区別して数える。指数は、その側が最善手だけを選ぶ手順数の対数を、両者自由の手順数の対数で割ったもので、一様な木では\
         0.5 になる。n はその手数でまだ広がっている定跡の数。",
    );
    let title = words("Lines by move number", "手数別の手順数");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}
