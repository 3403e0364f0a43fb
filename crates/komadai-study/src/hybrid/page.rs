//! The page of ym-shogi.

use crate::claim::Bound::{Above, Below};
use crate::claim::{Claim, Test};
use crate::findings::Findings;
use crate::hybrid::measure::{STRATA, TREES};
use crate::page::{Block, Cell, Page, Section, Table, Work};
use crate::words::{Words, words};

/// The name of the study.
pub(crate) const NAME: &str = "hybrid";

pub(crate) fn page(findings: &Findings) -> Page {
    let value = |key: &str| {
        findings.get(key).map_or_else(|| "–".to_owned(), |figure| format!("{:.0}", figure.value))
    };
    let (nodes, referee) = (value("nodes"), value("referee"));
    let positions = findings.get("nodes").map_or(0, |figure| figure.count);
    let mates = findings.get("mates tree").map_or(0, |figure| figure.count);
    let setting = Words::new(
        format!(
            "Ours: {positions} positions of 77 tournament games, a third each level, ahead in material without an attack, \
             and losing. The hybrid has {nodes} nodes for each of its two searchers, alpha-beta alone the nodes of both; \
             where their moves differ, a search of {referee} nodes values both. All evaluate by the bundled network. \
             Mates: {mates} problems of 3 to 7 plies, {nodes} nodes for each search. The source states no nodes; its \
             searchers had whole moves of tournament games."
        ),
        format!(
            "測定条件：大会の棋譜77局からの{positions}局面（互角、駒得で攻めのない局面、敗勢が3分の1ずつ）。併用は両探索に{nodes}ノードずつ、\
             通常探索単独はその合計のノード数。手が異なれば{referee}ノードの探索で両者を評価する。評価関数は付属のネットワーク。\
             詰み：3～7手詰{mates}題、各探索{nodes}ノード。原典に探索量の記述はなく、大会の持ち時間で使われていた。"
        ),
    );
    let title = words("Claims of the source", "原典の主張");
    let sections = vec![
        Section::of_claims(title, &claims(), findings),
        strata(findings),
        rules(findings),
        mates_table(findings),
    ];
    Page::new(findings, work(), setting, sections)
}

fn work() -> Work {
    Work {
        title: words(
            "Alpha-beta and Monte Carlo tree search together",
            "通常探索とモンテカルロ木探索の併用",
        ),
        reference: words(
            "\"Technical features of ym-shogi\" (ym将棋の技術的特徴), appeal document for the World Computer Shogi \
             Championship.",
            "「ym将棋の技術的特徴」世界コンピュータ将棋選手権アピール文書",
        ),
        summary: words(
            "ym-shogi runs an alpha-beta search and a Monte Carlo tree search side by side. Each reads the table of the \
             other, and rules choose between their moves. The tree search takes the rate of the best child in place of the \
             mean, and cuts its random games off.",
            "ym将棋は通常探索とモンテカルロ木探索を同時に走らせ、互いの局面表を参照し、判定条件に従ってどちらかの手を選ぶ。木探索は平均の代わりに\
             最善の子の勝率を使い、playout を途中で打ち切る。",
        ),
    }
}

fn chapter(number: &'static str) -> Words {
    Words::new(format!("chapter {number}"), format!("{number}章"))
}

fn claims() -> Vec<Claim> {
    let gain = || words("gain over alpha-beta, cp", "通常探索に対する利得（cp）");
    let ratio =
        || words("nodes to the same depth, without : with", "同じ深さまでのノード数、なし : あり");
    vec![
        Claim::new(
            words(
                "Tree search alone hardly finds the best moves of shogi",
                "モンテカルロ木探索のみで最善手を見つけるのは困難である",
            ),
            chapter("2"),
            [Test::new(
                "tree alone",
                words(
                    "value of the tree's move − that of alpha-beta's, cp, equal nodes",
                    "木探索の手の評価 − 通常探索の手の評価（cp、同じノード数）",
                ),
                Below(0.0),
            )
            .decimals(1)],
        ),
        Claim::new(
            words(
                "It helps in positions that are ahead in material without an effective attack",
                "駒得していながら有効な攻めが無い局面では、木探索が通常探索の短所を補う",
            ),
            chapter("2"),
            [Test::new("ym2012 gain ahead", gain(), Above(0.0)).decimals(1)],
        )
        .or("komadai-lab hybrid-study --only positions --positions 1000 --ahead 400"),
        Claim::new(
            words("Both together are better than alpha-beta alone", "併用は通常探索単独より良い"),
            chapter("2"),
            [Test::new("ym2012 gain all", gain(), Above(0.0)).decimals(1)],
        )
        .remark(words(
            "The source states this as its aim.",
            "原典では目標として述べられている。",
        )),
        Claim::new(
            words(
                "Alpha-beta generally finds mates sooner than the tree",
                "詰みは、一般に通常探索の方が早く発見する",
            ),
            chapter("4"),
            [Test::new(
                "mates alpha-beta − tree",
                words("share of mates found, alpha-beta − tree", "詰みを発見した割合、通常探索 − 木探索"),
                Above(0.0),
            )],
        ),
        Claim::new(
            words(
                "Below the root there are often not enough playouts to give one to each move",
                "ルート以外では、全ての指し手に1度ずつ playout を割り当てることすら不可能なことが多い",
            ),
            Words::new("chapter 6 (6)", "6章(6)"),
            [Test::new(
                "results a reply",
                words("playouts for each pair of a move and a reply", "指し手と応手の組あたりの playout 数"),
                Below(1.0),
            )],
        ),
        Claim::new(
            words(
                "Moves that lose material by exchange are cut in the last two plies (against the horizon effect): fewer nodes",
                "末端からの深さ2までは SEE が負の手を枝刈りする（水平線効果対策）：ノード数が減る",
            ),
            Words::new("chapter 7 (1)", "7章(1)"),
            [Test::new("without : with last plies exchange", ratio(), Above(1.0))],
        )
        .remark(words(
            "In the search of today, which prunes such moves in other ways as well.",
            "同様の手を別の方法でも枝刈りする現在の探索での値である。",
        )),
        Claim::new(
            words(
                "Counter moves are tried before captures: fewer nodes",
                "Counter moves を駒を取る手より先に試す：ノード数が減る",
            ),
            Words::new("chapter 7 (1)", "7章(1)"),
            [Test::new("without : with early counter move", ratio(), Above(1.0))],
        )
        .remark(words(
            "The source states the order, not its effect.",
            "原典は順序だけを述べ、効果は述べていない。",
        )),
        Claim::new(
            words(
                "The rate of the best child is better than the mean of all playouts",
                "ノードの勝率は、全 playout の平均より最善の子の勝率とするほうがよい",
            ),
            Words::new("chapter 6 (4)", "6章(4)"),
            [Test::new(
                "best child",
                words("points of the best child against the mean", "最善の子の勝率の、平均に対する得点率"),
                Above(0.5),
            )],
        )
        .or("komadai-lab hybrid-study --only best-child --log hybrid.log; komadai study hybrid --log hybrid.log"),
        Claim::new(
            words(
                "The hybrid wins games against alpha-beta on as many threads",
                "同じスレッド数の通常探索に、併用が対局で勝ち越す",
            ),
            chapter("2"),
            [Test::new(
                "games of the hybrid",
                words("points of the hybrid", "併用の得点率"),
                Above(0.5),
            )],
        )
        .or("komadai-lab hybrid-study --only games --log hybrid.log; komadai study hybrid --log hybrid.log")
        .remark(words(
            "The source states this as its aim.",
            "原典では目標として述べられている。",
        )),
        Claim::elsewhere(
            words(
                "TreeStrap and games against other programs teach relations of two and three pieces",
                "TreeStrap と他プログラムとの対戦により、2駒間・3駒間の関係を学習できる",
            ),
            Words::new("chapter 7 (3)", "7章(3)"),
            "komadai train compare OUT DATA --methods treestrap --features pp --opponent COMMAND",
        ),
        Claim::elsewhere(
            words(
                "With less time than the opponent a repetition is welcome",
                "残り時間が相手より少ない場合は千日手を歓迎する",
            ),
            Words::new("chapter 7 (4)", "7章(4)"),
            "komadai match --first komadai:DrawValueByClock=true --second komadai --time 60000 --increment 1000 --games 1000",
        ),
    ]
}

fn strata(findings: &Findings) -> Section {
    let names = [
        ("all", words("all", "全体")),
        ("level", words("level", "互角")),
        ("ahead", words("ahead in material without an attack", "駒得で攻めのない局面")),
        ("losing", words("losing", "敗勢")),
    ];
    debug_assert!(STRATA.iter().all(|(key, _)| names.iter().any(|(name, _)| name == key)));
    let head = vec![
        words("positions", "局面"),
        words("gain of ym2012, cp", "ym2012 の利得（cp）"),
        words("other move", "異なる手の割合"),
        words("gain of modern, cp", "modern の利得（cp）"),
        words("other move", "異なる手の割合"),
    ];
    let row = |(key, name): (&str, Words)| {
        let mut cells = vec![Cell::label(name)];
        for (tree, _) in TREES {
            cells.push(Cell::ours(findings.get(&format!("{tree} gain {key}")), 1));
            cells.push(Cell::ours(findings.get(&format!("{tree} other move {key}")), 2));
        }
        cells
    };
    let rows = names.into_iter().map(row).collect();
    let text = words(
        "`ym2012` is the tree of the source, `modern` that of today. The gain is the value of the hybrid's move less that \
         of alpha-beta's, over all positions.",
        "`ym2012` は原典の木探索、`modern` は現在の木探索。利得は全局面についての、併用の手の評価と通常探索の手の評価の差である。",
    );
    let title = words("Moves of the hybrid", "併用の指し手");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}

fn rules(findings: &Findings) -> Section {
    let head = vec![
        words("tree", "木探索"),
        words("playouts a search", "1探索あたり playout 数"),
        words("ended with too few playouts", "playout 不足で終わった割合"),
        words("alpha-beta used a mate of the tree", "通常探索が木の詰みを使った割合"),
    ];
    let row = |(tree, _)| {
        let figure = |key: &str| findings.get(&format!("{tree} {key}"));
        vec![
            Cell::label(Words::same(tree)),
            Cell::ours(figure("results"), 0),
            Cell::ours(figure("few playouts"), 2),
            Cell::ours(figure("used proofs"), 2),
        ]
    };
    let rows = TREES.map(row).to_vec();
    let title = words("Rules and shared knowledge", "判定条件と情報共有");
    Section::new(title, [Block::Table(Table { head, rows })])
}

fn mates_table(findings: &Findings) -> Section {
    let head = vec![words("search", "探索"), words("share of mates found", "詰みを発見した割合")];
    let rows = [
        ("alpha-beta", words("alpha-beta", "通常探索")),
        ("tree", words("tree search, ym2012", "木探索（ym2012）")),
    ]
    .into_iter()
    .map(|(key, name)| {
        vec![Cell::label(name), Cell::ours(findings.get(&format!("mates {key}")), 2)]
    });
    let title = words("Mates", "詰み");
    Section::new(title, [Block::Table(Table { head, rows: rows.collect() })])
}
