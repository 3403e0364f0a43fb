//! The page of Shiba's paper.

use crate::claim::Bound::{Above, AtMost, Below};
use crate::claim::{Claim, Test};
use crate::findings::Findings;
use crate::page::{Block, Cell, Page, Section, Table, Work};
use crate::shiba::paper::{self, TABLE_1, TABLE_2};
use crate::words::{Words, words};

/// The name of the study.
pub(crate) const NAME: &str = "shiba";

/// Plies that a generation adds at most: eight turns of the book's side.
const MOST_PLIES: f64 = 16.0;

pub(crate) fn page(findings: &Findings) -> Page {
    let value = |key: &str| {
        findings.get(key).map_or_else(|| "–".to_owned(), |figure| format!("{:.0}", figure.value))
    };
    let (generations, games) = (value("generations"), value("games"));
    let opponents = findings.text("opponents").unwrap_or("–");
    let setting = Words::new(
        format!(
            "Ours: {generations} generations, {games} games, opponents without a book: {opponents}. Intervals are those \
             of the bootstrap over games, which takes games as independent; games of one book are not quite."
        ),
        format!(
            "測定条件：{generations}世代、{games}局。定跡を使わない相手：{opponents}。区間は対局を単位とするブートストラップによる。\
             同じ定跡の対局は完全には独立でない。"
        ),
    );
    let title = words("Claims of the paper", "論文の主張");
    let sections = vec![
        Section::of_claims(title, &claims(), findings),
        by_generation(findings),
        thoughts(findings),
        results(findings),
    ];
    Page::new(findings, work(), setting, sections)
}

fn work() -> Work {
    Work {
        title: words(
            "A book grown by games and pruned by results",
            "対局で延長し、勝敗で削除する定跡",
        ),
        reference: words(
            "Seiji Shiba, \"Offering an effective method to make opening books on computer shogi\" \
             (コンピュータ将棋における定跡生成法の一提案), IPSJ SIG Game Informatics, 2018.",
            "芝世式「コンピュータ将棋における定跡生成法の一提案」情報処理学会ゲーム情報学研究会、2018年",
        ),
        summary: words(
            "In matches only one side has the book. Where a game leaves it, the next eight positions of that side are added \
             with a deep search, and moves that lose are deleted. Such books were behind shotgun (second of the 5th Den-O \
             Tournament) and Hefeweizen (champion of 2018).",
            "片方だけが定跡を使う対局を行い、定跡を抜けた後の定跡側8局面を深い探索とともに一気に追加し、負けにつながる手を削除する。\
             shotgun（第5回電王トーナメント準優勝）と Hefeweizen（2018年世界コンピュータ将棋選手権優勝）の定跡を生んだ方法である。",
        ),
    }
}

fn claims() -> Vec<Claim> {
    let section =
        |number: &'static str| Words::new(format!("section {number}"), format!("{number}節"));
    let long = paper::mean_own(&TABLE_2);
    vec![
        Claim::new(
            words("The lines of the book grow monotonically", "定跡は単調に延長されていく"),
            section("4"),
            [
                Test::new(
                    "length last − first",
                    words(
                        "moves in the book, last generation − first",
                        "定跡内の手数、最終世代 − 最初の世代",
                    ),
                    Above(0.0),
                )
                .decimals(1),
                Test::new(
                    "falls",
                    words(
                        "generations with a smaller mean than the one before",
                        "前の世代より平均が短い世代の数",
                    ),
                    AtMost(0.0),
                )
                .decimals(0),
            ],
        ),
        Claim::new(
            words(
                "At best a generation adds eight moves of the book's side, 16 with those of the opponent",
                "最もうまく作用した場合、一工程で8手（相手番も数えると16手）延長できる",
            ),
            section("3"),
            [Test::new(
                "largest growth",
                words("largest growth of the mean length", "平均手数の最大の伸び"),
                AtMost(MOST_PLIES),
            )
            .decimals(1)],
        ),
        Claim::new(
            words(
                "The book lasts longer than the opponent's: its side first spends time of its own at move 27 to 31",
                "定跡が長く働き、こちらが最初に考慮時間を使うのは平均27～31手目である",
            ),
            Words::new("section 5, tables 1 and 2", "5節、表1、表2"),
            [Test::new(
                "own thought of the last",
                words(
                    "move of the first own thought, last generation",
                    "最初に考えた手数、最終世代",
                ),
                Above(long),
            )
            .theirs(paper::mean_own(&TABLE_1))
            .decimals(1)],
        ),
        Claim::new(
            words(
                "The opponent spends time first, so that the book's side is ahead on the clock",
                "相手のほうが先に考慮時間を使い、時間的優位を築ける",
            ),
            Words::new("section 5, tables 1 and 2", "5節、表1、表2"),
            [Test::new(
                "own − opponent's thought",
                words(
                    "first own thought − the opponent's, plies",
                    "最初に考えた手数の差、自分 − 相手",
                ),
                Above(0.0),
            )
            .theirs(paper::mean_own(&TABLE_1) - paper::mean_opponent(&TABLE_1))
            .decimals(1)],
        )
        .remark(words(
            "Our opponents have no book, the paper's had.",
            "本測定の相手は定跡を持たないが、論文の相手は持っていた。",
        )),
        Claim::new(
            words(
                "No game left the book in a clearly worse position",
                "定跡を抜けた局面で明白に不利な状況は皆無であった",
            ),
            Words::new("sections 5 and 6", "5節、6節"),
            [Test::new(
                "clearly worse",
                words("share with −300 cp or less, last generation", "−300cp 以下の割合、最終世代"),
                Below(0.1),
            )
            .theirs(0.0)],
        )
        .remark(words(
            "A small sample cannot prove a share of zero; the bound is a tenth.",
            "小さな標本では「皆無」を示せないので、基準は1割とした。",
        )),
        Claim::new(
            words(
                "With enough repetitions the results improve, too",
                "十分繰り返すことで勝率は徐々に向上していく",
            ),
            section("4"),
            [Test::new(
                "points later − earlier",
                words(
                    "points, later half of the generations − earlier half",
                    "得点率、後半の世代 − 前半の世代",
                ),
                Above(0.0),
            )],
        ),
        Claim::new(
            words(
                "Against one weaker opponent more than 90 % are won",
                "弱めの相手一つに対して勝率90%以上になる",
            ),
            Words::new("sections 4 and 5", "4節、5節"),
            [Test::new(
                "points of the later half",
                words("points, later half of the generations", "得点率、後半の世代"),
                Above(0.9),
            )
            .theirs(paper::points())],
        ),
        Claim::new(
            words("The list of moves to delete is very short", "削除リストは非常に少ない"),
            section("4"),
            [Test::new(
                "deleted : positions",
                words("moves deleted : positions of the book", "削除した手 : 定跡の局面"),
                Below(0.01),
            )
            .decimals(4)],
        )
        .remark(words(
            "\"Very short\" is taken as less than 1 % of the positions.",
            "「非常に少ない」は局面の1%未満とした。",
        )),
        Claim::elsewhere(
            words(
                "A long book lets Multi Ponder work on the opponent's time",
                "長い定跡は Multi Ponder が有効に働く条件を整える",
            ),
            Words::new("sections 1 and 6", "1節、6節"),
            "komadai match --first komadai --second komadai --ponder=first --byoyomi 1000 --games 200",
        ),
        Claim::elsewhere(
            words(
                "A book made against many strong opponents holds against others, even with rare openings",
                "多くの仮想敵で作った定跡は、変則的な戦型にも対応できる",
            ),
            section("5"),
            "komadai study shiba --book FILE.kbook",
        ),
    ]
}

fn by_generation(findings: &Findings) -> Section {
    let columns = [
        ("games", words("games", "対局数"), 0),
        ("positions", words("positions", "局面数"), 0),
        ("new positions", words("new", "追加"), 0),
        ("deleted", words("moves deleted", "削除した手"), 0),
        ("length", words("moves in the book", "定跡内の手数"), 1),
        ("longest", words("longest", "最長"), 0),
        ("own thought", words("first own thought", "最初に考えた手数"), 1),
        ("value", words("value on leaving, cp", "抜けたときの評価値"), 0),
        ("points", words("points", "得点率"), 2),
    ];
    let mut head = vec![words("generation", "世代")];
    head.extend(columns.iter().map(|(_, name, _)| name.clone()));
    let mut rows = Vec::new();
    for number in 0.. {
        let figure = |key: &str| findings.get(&format!("generation {number} {key}"));
        if figure("games").is_none() {
            break;
        }
        let mut row = vec![Cell::label(Words::same(number.to_string()))];
        row.extend(columns.iter().map(|(key, _, decimals)| Cell::ours(figure(key), *decimals)));
        rows.push(row);
    }
    let mut theirs = vec![Cell::label(words("paper", "論文"))];
    theirs.extend(columns.iter().map(|(key, _, decimals)| match *key {
        "new positions" => Cell::theirs(paper::NEW_POSITIONS, 0),
        "own thought" => Cell::theirs(paper::mean_own(&TABLE_1), *decimals),
        "points" => Cell::theirs(paper::points(), *decimals),
        _ => Cell::theirs(None, 0),
    }));
    rows.push(theirs);
    let text = Words::new(
        format!("The paper has about {:.0} generations.", paper::GENERATIONS),
        format!("論文の世代数は約{:.0}。", paper::GENERATIONS),
    );
    let title = words("Generations", "世代ごとの推移");
    Section::new(title, [Block::Table(Table { head, rows }), Block::Text(text)])
}

fn thoughts(findings: &Findings) -> Section {
    let head = vec![
        words("opponent", "対戦相手"),
        words("opponent thinks at move", "相手が最初に考えた手数"),
        words("book's side thinks at move", "定跡側が最初に考えた手数"),
    ];
    let row = |&(name, opponent, own): &paper::ThoughtRow| {
        vec![
            Cell::label(Words::same(name)),
            Cell::theirs(f64::from(opponent), 0),
            own.map_or_else(
                || Cell::their_words(words("never", "なし")),
                |own| Cell::theirs(f64::from(own), 0),
            ),
        ]
    };
    let mean = |name: Words, table: &[paper::ThoughtRow]| {
        vec![
            Cell::label(name),
            Cell::theirs(paper::mean_opponent(table), 1),
            Cell::theirs(paper::mean_own(table), 1),
        ]
    };
    let mut rows: Vec<_> = TABLE_1.iter().map(row).collect();
    rows.push(mean(words("mean of table 1", "表1の平均"), &TABLE_1));
    rows.extend(TABLE_2.iter().map(row));
    rows.push(mean(words("mean of table 2", "表2の平均"), &TABLE_2));
    let last =
        findings.get("generations").map_or(0, |figure| figure.value as u64).saturating_sub(1);
    let figure = |key: &str| findings.get(&format!("generation {last} {key}"));
    rows.push(vec![
        Cell::label(words("ours, last generation", "本測定、最終世代")),
        Cell::ours(figure("opponent thought"), 1),
        Cell::ours(figure("own thought"), 1),
    ]);
    let title =
        words("Tables 1 and 2: the first own thought", "表1、表2：最初に考慮時間を使った手数");
    Section::new(title, [Block::Table(Table { head, rows })])
}

fn results(findings: &Findings) -> Section {
    let head = vec![words("results", "勝敗"), words("points", "得点率")];
    let [white, black] = paper::RESULTS;
    let text = |[won, lost, drawn]: [f64; 3]| {
        (format!("{won:.0}-{drawn:.0}-{lost:.0}"), format!("{won:.0}勝{lost:.0}敗{drawn:.0}分"))
    };
    let row = |name: [&str; 2], result: [f64; 3]| {
        let (english, japanese) = text(result);
        let points = (result[0] + result[2] / 2.0) / result.iter().sum::<f64>();
        vec![
            Cell::label(Words::new(
                format!("{}, {english} (wins, draws, losses)", name[0]),
                format!("{}、{japanese}", name[1]),
            )),
            Cell::theirs(points, 2),
        ]
    };
    let wins = paper::wins();
    let rows = vec![
        row(["shotgun with White against Gikou 2", "shotgun 後手 対 技巧2"], white),
        row(["shotgun with Black", "shotgun 先手"], black),
        vec![
            Cell::label(words("ours, later half of the generations", "本測定、後半の世代")),
            Cell::ours(findings.get("points of the later half"), 2),
        ],
    ];
    let note = Words::new(
        format!("The paper's 96 % are the games won of 400, {wins:.2}."),
        format!("論文の「勝率96%」は400局のうち勝った割合（{wins:.2}）である。"),
    );
    let title = words("Results", "勝敗");
    Section::new(title, [Block::Table(Table { head, rows }), Block::Text(note)])
}
