//! The claims of the paper's text, and ours about the programs that it names.

use komadai::search::QuiescenceClasses as Class;

use crate::claim::Bound::{Above, Below};
use crate::claim::{Bound, Claim, Test};
use crate::quiescence::paper::BAND_TABLE;
use crate::quiescence::quantity::{Quantity, nodes, variance};
use crate::quiescence::results::Band;
use crate::words::{Words, words};

/// The bound for "the difference of the variances is small" between Check and Threatmate with SEE:
/// the paper's is 3 %.
const SMALL: f64 = 1.1;

/// The bound of a correlation for "nearly a straight line".
const STRAIGHT: f64 = -0.9;

const LINE: &[&str] = &["SEE", "SEE+Threatmate", "SEE+Check", "SEE+Escape", "SKEP"];
const MORE: &[&str] =
    &["SEE", "Capture", "SEE+King", "SEE+Promote", "SEE+Escape", "SEE+Escape+Promote"];

/// A sentence in both languages, its place, and the numbers that decide it.
type Row = ([&'static str; 2], [&'static str; 2], Vec<(Quantity, Bound)>);

fn claim((text, place, tests): Row) -> Claim {
    let tests: Vec<Test> =
        tests.into_iter().map(|(quantity, bound)| quantity.test(bound)).collect();
    let [english, japanese] = place;
    let place = if english.is_empty() {
        words("not of the paper", "論文の主張ではない")
    } else {
        Words::new(english, japanese)
    };
    Claim::new(words(text[0], text[1]), place, tests)
}

/// Returns the claims of the paper, in its order.
pub(crate) fn of_the_paper() -> Vec<Claim> {
    paper_rows().into_iter().map(claim).collect()
}

/// Returns the numbers of all claims.
pub(crate) fn quantities() -> impl Iterator<Item = Quantity> {
    let rows = paper_rows().into_iter().chain(program_rows());
    rows.flat_map(|(_, _, tests)| tests).map(|(quantity, _)| quantity)
}

fn paper_rows() -> Vec<Row> {
    let section_411 = ["section 4.1.1, table 2", "4.1.1節、表2"];
    let table_3 = ["section 4.1.2, table 3", "4.1.2節、表3"];
    let table_4 = ["section 4.1.2, table 4", "4.1.2節、表4"];
    let section_413 = ["section 4.1.3, figure 5", "4.1.3節、図5"];
    let bands = ["section 4.1.3, figures 6 to 8", "4.1.3節、図6～8"];
    let singles = ["King", "Escape", "Promote", "Check", "Threatmate"];
    let unions = ["SKEP", "SEE+Escape", "SEE+Check", "SEE+Threatmate"];
    let others = ["SEE", "Capture", "SEE+Escape", "SEE+Check", "SEE+Threatmate"];
    vec![
        (
            [
                "Threatmate alone searches fewer nodes than Check, but its variance is larger",
                "単独では、Threatmate は Check より探索ノード数が小さいが、分散は大きい",
            ],
            section_411,
            vec![
                (nodes("Threatmate", "Check"), Below(1.0)),
                (variance("Threatmate", "Check"), Above(1.0)),
            ],
        ),
        (
            [
                "With SEE, Threatmate searches fewer nodes than Check (about two thirds), and the difference of \
                 the variances is small",
                "SEE との組み合わせでは、Threatmate の探索ノード数は Check より少なく（約2/3）、分散の差は小さい",
            ],
            section_411,
            vec![
                (nodes("SEE+Threatmate", "SEE+Check"), Below(1.0)),
                (variance("SEE+Threatmate", "SEE+Check"), Below(SMALL)),
            ],
        ),
        (
            [
                "SKEP, which reads most moves, has the smallest variance",
                "もっとも多くの手を読む SKEP の分散が一番小さい",
            ],
            table_3,
            others.map(|other| (variance("SKEP", other), Below(1.0))).to_vec(),
        ),
        (
            [
                "Captures are effective: the variance of SEE is smaller than those of the classes without \
                 captures",
                "駒を取る手は有効で、SEE の分散は駒を取る手を含まないどの分類よりも小さい",
            ],
            table_3,
            singles.map(|other| (variance("SEE", other), Below(1.0))).to_vec(),
        ),
        (
            [
                "Escape alone is not suited: many nodes, and a variance that is not small",
                "Escape は探索ノード数が大きい一方で分散が小さくならず、単独では向かない",
            ],
            table_3,
            vec![(nodes("Escape", "SEE"), Above(1.0)), (variance("Escape", "SEE"), Above(1.0))],
        ),
        (
            [
                "Together with SEE, Escape costs more and the variance becomes smaller",
                "Escape を SEE と組み合わせると、探索コストは上がるが分散は小さくなる",
            ],
            table_3,
            vec![
                (nodes("SEE+Escape", "SEE"), Above(1.0)),
                (variance("SEE+Escape", "SEE"), Below(1.0)),
            ],
        ),
        (
            [
                "Most variances are larger in the opening than in the rest",
                "多くは序盤では分散が大きく、残りでは小さい",
            ],
            table_4,
            BAND_TABLE.map(|(name, _)| (Quantity::OpeningToRest(name), Above(1.0))).to_vec(),
        ),
        (
            [
                "Promote is more effective in the rest than in the opening",
                "Promote は序盤よりもそれ以外で有効である",
            ],
            table_4,
            vec![(Quantity::Shift("Promote", Band::Opening, &Band::REST), Above(1.0))],
        ),
        (
            [
                "King is more effective in the opening than later",
                "王を動かす手は終盤よりも序盤で有効である",
            ],
            table_4,
            vec![(Quantity::Shift("King", Band::Opening, &Band::REST), Below(1.0))],
        ),
        (
            [
                "Each class added to SEE adds nodes and takes variance away",
                "SEE に手を追加するほど、探索ノード数が増加し、分散が小さくなる",
            ],
            section_413,
            unions
                .iter()
                .flat_map(|&union| {
                    [(nodes(union, "SEE"), Above(1.0)), (variance(union, "SEE"), Below(1.0))]
                })
                .collect(),
        ),
        (
            [
                "SEE and Capture with further classes lie on a nearly straight line of log nodes and variance",
                "SEE、Capture に手を加えていくと、ノード数の対数と分散の点がほぼ直線になる",
            ],
            section_413,
            vec![
                (Quantity::Straightness("rows of the tables", "表の行", LINE), Below(STRAIGHT)),
                (
                    Quantity::Straightness("more unions", "その他の組み合わせ", MORE),
                    Below(STRAIGHT),
                ),
            ],
        ),
        (
            ["Promote gets better as the game goes on", "Promote はゲームが進むほど性能が向上する"],
            bands,
            vec![
                (Quantity::Shift("Promote", Band::Opening, &[Band::Middle]), Above(1.0)),
                (Quantity::Shift("Promote", Band::Middle, &[Band::End]), Above(1.0)),
            ],
        ),
        (
            [
                "Promote is effective in the middle game and in the endgame",
                "Promote は中盤、終盤においては有効である",
            ],
            bands,
            vec![
                (Quantity::InBand("Promote", Band::Middle), Below(1.0)),
                (Quantity::InBand("Promote", Band::End), Below(1.0)),
            ],
        ),
        (
            [
                "Towards the end Escape becomes rarer among the best moves, Check and Promote more frequent",
                "終盤に近くなるほど、最善手のうち Escape が減少し、Check、Promote が増加する",
            ],
            ["section 4.1.3, figure 9", "4.1.3節、図9"],
            vec![
                (Quantity::BestShare("Escape", Class::ESCAPE), Below(1.0)),
                (Quantity::BestShare("Check", Class::CHECK), Above(1.0)),
                (Quantity::BestShare("Promote", Class::PROMOTE), Above(1.0)),
            ],
        ),
    ]
}

/// Returns the claims that other experiments decide.
pub(crate) fn of_other_experiments() -> Vec<Claim> {
    vec![
        Claim::elsewhere(
            words(
                "A predictor of threatmates classifies 27,432 moves with an accuracy of 0.8804 (true positives \
                 0.7982, true negatives 0.9215)",
                "詰めろ評価関数は27,432手を正解率0.8804で分類する（詰めろ0.7982、非詰めろ0.9215）",
            ),
            words("section 3.1, table 1", "3.1節、表1"),
            "komadai-lab fit-threatmate",
        ),
        Claim::elsewhere(
            words(
                "On 300 problems no method is significantly better than All; SKEP solves more than SEE, and Rating \
                 (top 20 %) most",
                "300問の問題集で、全幅探索より有意に多く正解した手法はない。SKEP は SEE より多く、Rating（上位20%）が最多である",
            ),
            words("section 4.2, table 5", "4.2節、表5"),
            "komadai-lab next-moves solve",
        ),
        Claim::elsewhere(
            words(
                "A choice of moves by the information of the position is a way to better move generation",
                "局面の情報に応じて手生成を変えることは有効である",
            ),
            words("section 5", "5章"),
            "komadai-lab fit-gain --no-fit",
        ),
    ]
}

/// Returns our own claims, about the programs that the paper names and the method for playing.
pub(crate) fn of_programs() -> Vec<Claim> {
    program_rows().into_iter().map(claim).collect()
}

fn program_rows() -> Vec<Row> {
    let ours = ["", ""];
    vec![
        (
            [
                "Bonanza's moves are better than SKEP at fewer nodes",
                "Bonanza の手は SKEP より少ないノード数で分散が小さい",
            ],
            ours,
            vec![(variance("Bonanza", "SKEP"), Below(1.0)), (nodes("Bonanza", "SKEP"), Below(1.0))],
        ),
        (
            [
                "The method of komadai for playing (Standard) is better than SKEP at fewer nodes",
                "komadai が対局で使う方法（Standard）は SKEP より少ないノード数で分散が小さい",
            ],
            ours,
            vec![
                (variance("Standard", "SKEP"), Below(1.0)),
                (nodes("Standard", "SKEP"), Below(1.0)),
            ],
        ),
        (
            [
                "Captures that lose nothing (Safe) are better than those that win (SEE)",
                "損をしない駒取り（Safe）は、得をする駒取り（SEE）より分散が小さい",
            ],
            ours,
            vec![(variance("Safe", "SEE"), Below(1.0))],
        ),
        (
            [
                "Threats against own pieces (Kfend) make SEE better",
                "自駒への脅威を考慮すること（Kfend）で SEE の分散が小さくなる",
            ],
            ours,
            vec![(variance("Kfend", "SEE"), Below(1.0))],
        ),
        (
            [
                "Two plies of captures and the best exchange (Yss) are better than SEE",
                "2手の駒取りと最良の交換（Yss）は SEE より分散が小さい",
            ],
            ours,
            vec![(variance("Yss", "SEE"), Below(1.0))],
        ),
        (
            [
                "The most valuable piece to capture (Tacos) makes the static evaluation better",
                "取れる最大の駒の価値を足すこと（Tacos）で静的評価の分散が小さくなる",
            ],
            ours,
            vec![(variance("Tacos", "Eval"), Below(1.0))],
        ),
        (
            [
                "ProbCut saves nodes of SKEP, and the difference of the variances is small",
                "ProbCut は SKEP のノード数を減らし、分散の差は小さい",
            ],
            ours,
            vec![
                (nodes("SKEP+ProbCut", "SKEP"), Below(1.0)),
                (variance("SKEP+ProbCut", "SKEP"), Below(SMALL)),
            ],
        ),
    ]
}
