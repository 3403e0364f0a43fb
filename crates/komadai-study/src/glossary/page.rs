//! The page of the glossary.

use crate::findings::Findings;
use crate::glossary::claims;
use crate::glossary::mates::METHODS;
use crate::page::{Block, Cell, Page, Section, Table, Work};
use crate::words::{Words, words};

/// The name of the study.
pub(crate) const NAME: &str = "glossary";

pub(crate) fn page(findings: &Findings) -> Page {
    let value = |key: &str| {
        findings.get(key).map_or_else(|| "–".to_owned(), |figure| format!("{:.0}", figure.value))
    };
    let count = |key: &str| findings.get(key).map_or(0, |figure| figure.count);
    let (depth, nodes) = (value("depth"), value("nodes"));
    let (positions, mates) = (count("depth"), count("pn decided mates"));
    let none = count("pn decided none");
    let setting = Words::new(
        format!(
            "Ours: {mates} bundled problems of 3 to 15 plies and {none} positions of games in which there is a check \
             but no mate, at most {nodes} nodes each; {positions} positions of 77 tournament games, to {depth} plies \
             or {nodes} nodes, with the evaluation `Classical`."
        ),
        format!(
            "測定条件：付属の詰将棋{mates}題（3～15手）と、王手はあるが詰みのない実戦の{none}局面（各{nodes}ノードまで）。\
             大会の棋譜77局からの{positions}局面を、評価関数 `Classical` で{depth}手または{nodes}ノードまで探索した。"
        ),
    );
    let mut searches =
        Section::of_claims(words("Search", "探索"), &claims::of_searches(), findings);
    searches.blocks.insert(
        0,
        Block::Text(words(
            "Each technique alone, added to (or taken from) a plain search of the glossary's time: full width with a \
             table, killer moves, histories, null windows and a search of captures. What a technique is worth in \
             today's search is another question, which `komadai-lab tune-search ablate` answers.",
            "用語集の時代の素朴な探索（全幅探索、置換表、Killer 手、ヒストリー、NullWindow、駒を取る静止探索）に、手法を一つずつ加える、\
             あるいは外して比べた。現在の探索での効果は `komadai-lab tune-search ablate` が測る。",
        )),
    );
    let mut mates =
        Section::of_claims(words("Mate search", "詰め探索"), &claims::of_mates(), findings);
    mates.blocks.push(Block::Table(mate_table(findings)));
    let rest = Section::of_claims(
        words("Selective search, evaluation and others", "選択的探索、評価関数ほか"),
        &claims::of_the_rest(),
        findings,
    );
    let sections = vec![mates, searches, rest, lines(findings), castles(findings)];
    Page::new(findings, work(), setting, sections)
}

fn work() -> Work {
    Work {
        title: words("A glossary of computer shogi", "コンピュータ将棋の用語集"),
        reference: words(
            "\"Knowledge about computer shogi\" (コンピュータ将棋の知識), a glossary on the web, 2 July 2009.",
            "「コンピュータ将棋の知識」（ウェブ上の用語集）2009年7月2日",
        ),
        summary: words(
            "The glossary explains some forty terms of search, evaluation and learning without numbers. This page tests \
             the sentences that state an effect.",
            "探索、評価関数、学習の約40の用語を、数値なしで説明している。ここでは効果を述べた文を検証する。",
        ),
    }
}

fn mate_table(findings: &Findings) -> Table {
    let head = vec![
        words("method", "手法"),
        words("mates decided", "詰みの判定率"),
        words("mean nodes", "平均ノード数"),
        words("no mates decided", "不詰みの判定率"),
        words("mean nodes", "平均ノード数"),
        words("nodes, mates of 3 plies", "3手詰のノード数"),
    ];
    let names = [
        words("proof-number search", "証明数探索"),
        words("df-pn, bare", "df-pn（素）"),
        words("df-pn with later techniques", "df-pn（後年の手法あり）"),
    ];
    let rows = METHODS.into_iter().zip(names).map(|(method, name)| {
        let figure = |key: &str| findings.get(&format!("{method} {key}"));
        vec![
            Cell::label(name),
            Cell::ours(figure("decided mates"), 2),
            Cell::ours(figure("nodes mates"), 0),
            Cell::ours(figure("decided none"), 2),
            Cell::ours(figure("nodes none"), 0),
            Cell::ours(figure("nodes short"), 0),
        ]
    });
    Table { head, rows: rows.collect() }
}

fn lines(findings: &Findings) -> Section {
    let head = vec![words("search", "探索"), words("longest line, plies", "最長手順（手）")];
    let names = [
        (
            "alpha-beta",
            words("alpha-beta without late move reductions", "アルファベータ探索（LMR なし）"),
        ),
        ("realization", words("realization probability", "実現確率探索")),
        ("abc", words("ABC", "ABC探索")),
    ];
    let row = |(key, name): (&str, Words)| {
        vec![Cell::label(name), Cell::ours(findings.get(&format!("longest line {key}")), 1)]
    };
    let rows = names.into_iter().map(row).collect();
    let title = words("Longest lines at equal nodes", "同じノード数での最長手順");
    Section::new(title, [Block::Table(Table { head, rows })])
}

fn castles(findings: &Findings) -> Section {
    let head =
        vec![words("castle", "囲い"), words("rise of the castle term, cp", "囲いの項の上昇（cp）")];
    let names = [
        ("mino", words("mino", "美濃囲い")),
        ("yagura", words("yagura", "矢倉囲い")),
        ("anaguma", words("anaguma", "穴熊囲い")),
        ("boat", words("boat", "舟囲い")),
        ("crab", words("crab", "カニ囲い")),
        ("middle", words("middle", "中住まい")),
    ];
    let row = |(key, name): (&str, Words)| {
        vec![Cell::label(name), Cell::ours(findings.get(&format!("castle {key}")), 0)]
    };
    let rows = names.into_iter().map(row).collect();
    let title = words("Ways into castles", "囲いへの経路");
    Section::new(title, [Block::Table(Table { head, rows })])
}
