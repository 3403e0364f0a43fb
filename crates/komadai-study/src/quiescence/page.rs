//! The numbers of the study, and its page: the paper's tables beside those of the run.

use crate::claim::Claim;
use crate::figure::Figure;
use crate::findings::Findings;
use crate::page::{Block, Cell as PageCell, Page, Section, Table, Work};
use crate::quiescence::claims;
use crate::quiescence::measure::Setting;
use crate::quiescence::paper::{self, BAND_TABLE, POSITIONS, RATIOS, REFERENCE_NODES, TABLE};
use crate::quiescence::quantity::{Quantity, variance};
use crate::quiescence::results::{BEST_CLASSES, Band, Cell, Results, Sample, Sums};
use crate::words::{Words, words};

/// The name of the study.
pub(crate) const NAME: &str = "quiescence";

/// The parts of the games of the table of best moves.
const STAGES: [(&str, core::ops::Range<usize>); 3] =
    [("0–4", 0..5), ("5–9", 5..10), ("10–15", 10..16)];

/// Returns all numbers of the page.
pub(crate) fn findings(setting: &Setting, results: &Results, command: &str) -> Findings {
    let sample = Sample::new(results);
    let depth = results.main_depth();
    let total = &sample.total;
    let mut found = Findings::new(NAME, command);
    let reference = results.reference(total, depth, &Band::ALL).unwrap_or_default();
    let positions = reference.positions as u64;
    found.add_text("setting", &setting.in_language(komadai::core::Language::English));
    found.add_text("setting ja", &setting.in_language(komadai::core::Language::Japanese));
    found.add_text("methods", &results.names().join(" "));
    let depths: Vec<String> = results.depths().iter().map(ToString::to_string).collect();
    found.add_text("depths", &depths.join(" "));
    found.add("depth", Figure::exact(f64::from(depth), positions));
    found.add("games", Figure::exact(results.games() as f64, positions));
    found.add("positions", Figure::exact(reference.positions, positions));
    found.add("undecided positions", Figure::exact(reference.count, positions));
    for name in results.names() {
        let cell = |sums: &Sums, bands: &[Band]| results.method(sums, name, depth, bands);
        let value = |f: fn(&Cell) -> f64, bands: &[Band]| {
            sample.interval(|sums| Some(f(&cell(sums, bands)?)))
        };
        found.add_some(format!("mean {name}"), value(Cell::mean, &Band::ALL));
        found.add_some(format!("variance {name}"), value(Cell::variance, &Band::ALL));
        if let Some(cell) = cell(total, &Band::ALL) {
            found.add(format!("nodes {name}"), Figure::exact(cell.nodes(), positions));
        }
        if BAND_TABLE.iter().any(|(known, _)| known == name) {
            let opening = value(Cell::variance, &[Band::Opening]);
            found.add_some(format!("variance {name}, opening"), opening);
            found.add_some(format!("variance {name}, rest"), value(Cell::variance, &Band::REST));
        }
    }
    found.add("nodes All", Figure::exact(reference.nodes(), positions));
    for quantity in claims::quantities().chain(RATIOS.map(|(name, base)| variance(name, base))) {
        found.add_some(quantity.key(), quantity.of(&sample, depth));
    }
    for (stage, range) in STAGES {
        let best = total.best(range);
        let all = best.moves + best.standing;
        found.add(format!("best {stage} positions"), Figure::exact(all, all as u64));
        let mut add = |name: String, share: f64| {
            found.add(format!("best {stage} {name}"), Figure::exact(100.0 * share, all as u64));
        };
        add("stands pat".to_owned(), best.standing / all);
        BEST_CLASSES.iter().for_each(|&class| add(class.to_string(), best.share(class)));
    }
    for &depth in results.depths() {
        for name in results.names() {
            if let Some(cell) = results.method(total, name, depth, &Band::ALL) {
                let mut add = |measure: &str, value| {
                    let key = format!("depth {depth} {measure} {name}");
                    found.add(key, Figure::exact(value, cell.positions as u64));
                };
                add("variance", cell.variance());
                add("nodes", cell.nodes());
            }
        }
        if let Some(cell) = results.reference(total, depth, &Band::ALL) {
            let nodes = Figure::exact(cell.nodes(), cell.positions as u64);
            found.add(format!("depth {depth} nodes All"), nodes);
        }
    }
    found
}

/// Returns the page.
pub(crate) fn page(findings: &Findings) -> Page {
    let text = |key: &str| findings.text(key).unwrap_or_default().to_owned();
    let number = |key: &str| findings.get(key).map_or_else(String::new, |figure| figure.text(0));
    let [games, positions, undecided, depth] =
        ["games", "positions", "undecided positions", "depth"].map(number);
    let setting = Words::new(
        format!(
            "Ours: {}. {games} games, {positions} positions from move 30 on; {undecided} of them without a \
             decided value of the reference. The tables are those of depth {depth}. Values are \
             centipawns of the evaluation `Classical`; the value of the paper's pawn is not known, so \
             that ratios are what can be compared.",
            text("setting")
        ),
        format!(
            "測定条件：{}。{games}局の30手目以降の{positions}局面。うち基準の探索が勝敗を読み切っていない{undecided}局面で\
             評価値の差を調べた。表は深さ{depth}のものである。評価値は評価関数 `Classical` によるセンチポーン。論文の歩の価値は\
             分からないので、比較できるのは比である。",
            text("setting ja")
        ),
    );
    let mut sections = vec![
        Section::of_claims(
            words("Claims of the paper", "論文の主張"),
            &claims_of_the_paper(),
            findings,
        ),
        main_table(findings),
        ratios(findings),
        node_counts(findings),
        bands(findings),
        best_moves(findings),
    ];
    if text("depths").contains(' ') {
        sections.push(depths(findings));
    }
    let title = words("Programs that the paper names", "論文が挙げるプログラム");
    let mut programs = Section::of_claims(title, &claims::of_programs(), findings);
    programs.blocks.insert(
        0,
        Block::Text(words(
            "Models of the programs by one sentence of the paper each, not the programs themselves.",
            "論文の一文ずつに基づくモデルであり、プログラムそのものではない。",
        )),
    );
    sections.push(programs);
    Page::new(findings, work(), setting, sections)
}

fn claims_of_the_paper() -> Vec<Claim> {
    let mut all = claims::of_the_paper();
    all.extend(claims::of_other_experiments());
    all
}

fn work() -> Work {
    Work {
        title: words("Moves of the quiescence search", "静止探索で生成する手"),
        reference: words(
            "S. Takeuchi, T. Kaneko and K. Yamaguchi, \"Dynamic move generation in quiescence search, using \
             information of game positions\" (局面の情報を利用した，静止探索中の動的な手生成), University of Tokyo.",
            "竹内聖悟、金子知適、山口和紀「局面の情報を利用した，静止探索中の動的な手生成」東京大学",
        ),
        summary: words(
            "The paper compares quiescence searches over classes of moves with a search over all moves, on the \
             positions of 1,000 games: the smaller the variance of the difference of the two values, the better. It \
             proposes to try checks only after a move that a predictor takes for a threatmate (詰めろ).",
            "1,000局の局面で、手の種類を限った静止探索を全ての手を読む探索と比較し、評価値の差の分散が小さいほど良いとする。\
             2手前の手が詰めろと予測されたときだけ王手を生成する方法を提案している。",
        ),
    }
}

fn main_table(findings: &Findings) -> Section {
    let paper = || words("paper", "論文");
    let head = vec![
        words("method", "手法"),
        words("mean", "平均"),
        paper(),
        words("variance", "分散"),
        paper(),
        words("nodes a position", "1局面あたりノード数"),
        paper(),
    ];
    let row = |name: &str| {
        let theirs = paper::find(name);
        let figure = |key: &str| findings.get(&format!("{key} {name}"));
        vec![
            PageCell::label(Words::same(name.to_owned())),
            PageCell::ours(figure("mean"), 0),
            PageCell::theirs(theirs.map(|row| row.mean), 0),
            PageCell::ours(figure("variance"), 0),
            PageCell::theirs(theirs.map(|row| row.variance), 0),
            PageCell::ours(figure("nodes"), 1),
            PageCell::theirs(theirs.map(|row| row.nodes()), 1),
        ]
    };
    let methods = findings.text("methods").unwrap_or_default();
    let mut rows: Vec<_> = methods.split(' ').map(row).collect();
    let mut reference = row("All");
    reference[0] = PageCell::label(words("All (reference)", "All（基準）"));
    reference[6] = PageCell::theirs(REFERENCE_NODES / POSITIONS, 1);
    rows.push(reference);
    let text = words(
        "Mean and variance of the difference to the reference, and nodes.",
        "基準の探索との差の平均と分散、探索ノード数。",
    );
    let title = words("Tables 2 and 3", "表2、表3");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}

fn ratios(findings: &Findings) -> Section {
    let head = vec![
        words("ratio of variances", "分散の比"),
        words("ours", "本測定"),
        words("paper", "論文"),
        words("ln", "対数の差"),
    ];
    let mut squares = Vec::new();
    let mut rows = Vec::new();
    for (name, base) in RATIOS {
        let ours = findings.get(&variance(name, base).key());
        let (Some(ours), Some(row), Some(base_row)) = (ours, paper::find(name), paper::find(base))
        else {
            continue;
        };
        let theirs = row.variance / base_row.variance;
        let logarithm = (ours.value / theirs).ln();
        squares.push(logarithm * logarithm);
        rows.push(vec![
            PageCell::label(Words::same(format!("{name} : {base}"))),
            PageCell::ours(Some(ours), 2),
            PageCell::theirs(theirs, 2),
            PageCell::label(Words::same(format!("{logarithm:+.2}"))),
        ]);
    }
    let title = words("Ratios of variances", "分散の比");
    let text = root_mean_square(&squares);
    Section::new(title, [Block::Table(Table { head, rows }), Block::Text(text)])
}

fn node_counts(findings: &Findings) -> Section {
    let theirs = TABLE.iter().map(|row| (row.name, row.nodes()));
    let all = [("All", REFERENCE_NODES / POSITIONS)];
    let counts: Vec<(&str, f64, f64)> = theirs
        .chain(all)
        .filter_map(|(name, theirs)| {
            Some((name, findings.get(&format!("nodes {name}"))?.value, theirs))
        })
        .collect();
    let logarithm = |(_, ours, theirs): &(&str, f64, f64)| (ours / theirs).ln();
    let common = counts.iter().map(logarithm).sum::<f64>() / counts.len().max(1) as f64;
    let mut squares = Vec::new();
    let mut rows = Vec::new();
    for count in &counts {
        let rest = logarithm(count) - common;
        squares.push(rest * rest);
        let &(name, ours, theirs) = count;
        rows.push(vec![
            PageCell::label(Words::same(name)),
            PageCell::ours(Some(Figure::exact(ours, 1)), 1),
            PageCell::theirs(theirs, 1),
            PageCell::label(Words::same(format!("{rest:+.2}"))),
        ]);
    }
    let factor = common.exp();
    let text = Words::new(
        format!("Nodes a position, compared after a common factor of {factor:.2}."),
        format!("1局面あたりのノード数。共通の倍率{factor:.2}で割って比較する。"),
    );
    let head = vec![
        words("method", "手法"),
        words("ours", "本測定"),
        words("paper", "論文"),
        words("ln", "対数の差"),
    ];
    let blocks = [
        Block::Text(text),
        Block::Table(Table { head, rows }),
        Block::Text(root_mean_square(&squares)),
    ];
    Section::new(words("Node counts", "ノード数"), blocks)
}

fn root_mean_square(squares: &[f64]) -> Words {
    let count = squares.len();
    let root = (squares.iter().sum::<f64>() / count.max(1) as f64).sqrt();
    Words::new(
        format!("Root mean square of the {count} logarithms: {root:.2}."),
        format!("{count}個の対数の差の二乗平均平方根：{root:.2}"),
    )
}

fn bands(findings: &Findings) -> Section {
    let paper = || words("paper", "論文");
    let head = vec![
        words("method", "手法"),
        words("opening", "序盤"),
        paper(),
        words("rest", "序盤以外"),
        paper(),
        words("opening : rest", "序盤 : 序盤以外"),
        paper(),
    ];
    let row = |(name, [_, opening, rest]): paper::BandRow| {
        let figure = |key: &str| findings.get(&format!("variance {name}, {key}"));
        vec![
            PageCell::label(Words::same(name)),
            PageCell::ours(figure("opening"), 0),
            PageCell::theirs(opening, 0),
            PageCell::ours(figure("rest"), 0),
            PageCell::theirs(rest, 0),
            PageCell::ours(findings.get(&Quantity::OpeningToRest(name).key()), 2),
            PageCell::theirs(opening / rest, 2),
        ]
    };
    let rows = BAND_TABLE.map(row).to_vec();
    let title = words("Table 4: variance by progress", "表4：進行度別の分散");
    Section::new(title, [Block::Table(Table { head, rows })])
}

fn best_moves(findings: &Findings) -> Section {
    let mut head = vec![
        words("progress", "進行度"),
        words("positions", "局面数"),
        words("stands pat", "stand pat"),
    ];
    head.extend(BEST_CLASSES.iter().map(|class| Words::same(class.to_string())));
    let row = |(stage, _): (&'static str, core::ops::Range<usize>)| {
        let figure = |name: &str| findings.get(&format!("best {stage} {name}"));
        let mut cells = vec![
            PageCell::label(Words::same(stage)),
            PageCell::ours(figure("positions"), 0),
            PageCell::ours(figure("stands pat"), 1),
        ];
        let classes = BEST_CLASSES.iter();
        cells.extend(classes.map(|class| PageCell::ours(figure(&class.to_string()), 1)));
        cells
    };
    let rows = STAGES.map(row).to_vec();
    let text = words(
        "Shares in per cent of the positions in which the reference moves; a move may belong to several \
         classes. The paper shows them in a figure without numbers.",
        "基準の探索が手を指した局面に占める割合（%）。一つの手が複数の種類に属することがある。論文では数値のない図である。",
    );
    let title = words("Best moves of the reference (figure 9)", "基準の探索の最善手（図9）");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}

fn depths(findings: &Findings) -> Section {
    let list = findings.text("depths").unwrap_or_default();
    let depths: Vec<String> = list.split(' ').map(str::to_owned).collect();
    let mut head = vec![words("method", "手法")];
    head.extend(depths.iter().cloned().map(Words::same));
    let methods = findings.text("methods").unwrap_or_default();
    let row = |name: &str| {
        let mut cells = vec![PageCell::label(Words::same(name.to_owned()))];
        cells.extend(depths.iter().map(|depth| {
            let text = |measure: &str, decimals| {
                let figure = findings.get(&format!("depth {depth} {measure} {name}"));
                figure.map(|figure| figure.text(decimals))
            };
            let both = [text("variance", 0), text("nodes", 1)];
            let text = both.into_iter().flatten().collect::<Vec<_>>().join(", ");
            PageCell { owner: crate::page::Owner::Ours, ..PageCell::label(Words::same(text)) }
        }));
        cells
    };
    let rows = methods.split(' ').chain(["All"]).map(row).collect();
    let text = words("Variance, and nodes a position.", "分散と1局面あたりのノード数。");
    let title = words("All depths", "深さ別");
    Section::new(title, [Block::Text(text), Block::Table(Table { head, rows })])
}
