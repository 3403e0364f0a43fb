//! The sentences of the glossary.

use crate::claim::Bound::{Above, AtMost, Below, Within};
use crate::claim::{Claim, Test};
use crate::words::{Words, words};

/// The factor below which a number of nodes does not count as "hardly".
const HARDLY: f64 = 2.0;

fn entry(english: &'static str, japanese: &'static str) -> Words {
    Words::new(format!("entry \"{english}\" ({japanese})"), format!("「{japanese}」の項"))
}

/// A test of the nodes without a technique to those with it.
fn saves(name: &'static str) -> Test {
    let measure = words(
        "nodes to the same depth without it : with it",
        "同じ深さまでのノード数、なし : あり",
    );
    Test::new(format!("without : with {name}"), measure, Above(1.0))
}

/// Returns the claims about mate search.
pub(super) fn of_mates() -> Vec<Claim> {
    vec![
        Claim::new(
            words(
                "Proof-number search recognises a mate quickly, the absence of a mate hardly",
                "証明数探索は、詰みは速く判るが、不詰みはなかなか判らない",
            ),
            entry("proof-number mate search", "証明数詰め探索"),
            [Test::new(
                "pn nodes none : mates",
                words("nodes, no mates : mates", "ノード数、不詰み : 詰み"),
                Above(HARDLY),
            )],
        )
        .remark(words(
            "Ours has disproof numbers as well, while the glossary's has proof numbers only.",
            "本測定の証明数探索は反証数も持つ。用語集のものは証明数だけである。",
        )),
        Claim::new(
            words(
                "df-pn recognises both mates and no mates quickly: with fewer nodes than proof-number search",
                "df-pn は詰みと不詰みの両方を素早く認識できる（証明数探索より少ないノード数で）",
            ),
            entry("df-pn mate search", "df-pn詰め探索"),
            [
                Test::new(
                    "bare df-pn : pn mates",
                    words(
                        "nodes on mates, bare df-pn : pn",
                        "詰みのノード数、素の df-pn : 証明数探索",
                    ),
                    Below(1.0),
                ),
                Test::new(
                    "bare df-pn : pn none",
                    words(
                        "nodes on no mates, bare df-pn : pn",
                        "不詰みのノード数、素の df-pn : 証明数探索",
                    ),
                    Below(1.0),
                ),
            ],
        ),
        Claim::new(
            words(
                "The same with the later techniques of komadai's solver",
                "komadai の詰将棋ソルバーの手法をすべて加えた場合も同様である",
            ),
            words("not of the glossary", "用語集の主張ではない"),
            [
                Test::new(
                    "df-pn : pn mates",
                    words("nodes on mates, df-pn : pn", "詰みのノード数、df-pn : 証明数探索"),
                    Below(1.0),
                ),
                Test::new(
                    "df-pn : pn none",
                    words("nodes on no mates, df-pn : pn", "不詰みのノード数、df-pn : 証明数探索"),
                    Below(1.0),
                ),
            ],
        ),
        Claim::new(
            words(
                "df-pn may take long for shallow mates",
                "df-pn は浅い詰め物に時間がかかる場合もある",
            ),
            entry("df-pn mate search", "df-pn詰め探索"),
            [Test::new(
                "bare df-pn : pn short",
                words(
                    "nodes on mates of 3 plies, bare df-pn : pn",
                    "3手詰のノード数、素の df-pn : 証明数探索",
                ),
                Above(1.0),
            )],
        ),
    ]
}

/// Returns the claims about full-width searches.
pub(super) fn of_searches() -> Vec<Claim> {
    let rows: [(&'static str, [&'static str; 2], Words); 8] = [
        (
            "null move",
            [
                "Null-move pruning (R = 2, from 6 plies on 3) prunes strongly",
                "NullMove 枝狩り（R=2、残り6手以上で3）はかなり強力に枝狩りできる",
            ],
            entry("null-move pruning", "null-move pruning"),
        ),
        (
            "futility",
            ["Futility cuts with one ply left save nodes", "残り1手の FutilityCut は枝狩りになる"],
            entry("futility cut", "FutilityCut"),
        ),
        (
            "two-ply futility",
            [
                "With a wider margin and the value of quiescence they can be used with two plies left",
                "静止探索の値を用い定数幅を広げれば、残り2手の場合にも適用できる",
            ],
            entry("futility cut", "FutilityCut"),
        ),
        (
            "killer moves",
            ["Killer moves make the search efficient", "Killer 手を優先すると探索を効率化できる"],
            entry("killer move", "KillerMove"),
        ),
        (
            "ordering",
            [
                "The order of moves is important for alpha-beta search",
                "Alpha-Beta 探索では手の順番（オーダリング）が重要である",
            ],
            entry("ordering", "オーダリング"),
        ),
        (
            "principal variation search",
            [
                "Most moves after the first are pruned by a fast null-window search",
                "二番目以降のほとんどの手は高速な NullWindow 探索のみで枝狩りできる",
            ],
            entry("principal variation search", "principal variation search"),
        ),
        (
            "aspiration",
            [
                "A window of ±150 around the last value makes iterative deepening faster",
                "前回の探索結果の前後（±150）に探索幅を狭めることで高速化が見込める",
            ],
            entry("aspiration search", "Aspirationサーチ"),
        ),
        (
            "table",
            [
                "The transposition table saves searches of positions that have been searched",
                "置換表により、既に探索済みの局面の探索を省略できる",
            ],
            entry("transposition table", "置換表"),
        ),
    ];
    let farther = words(
        "The rules of our search prune farther from the leaves than the last one or two plies, too.",
        "本測定の探索では、残り1～2手より手前の局面でも枝狩りする。",
    );
    rows.into_iter()
        .map(|(name, [english, japanese], place)| {
            let claim = Claim::new(words(english, japanese), place, [saves(name)]);
            if name.ends_with("futility") { claim.remark(farther.clone()) } else { claim }
        })
        .collect()
}

/// Returns the other claims.
pub(super) fn of_the_rest() -> Vec<Claim> {
    let longest =
        || words("longest line : that of alpha-beta", "最長手順 : アルファベータ探索の最長手順");
    vec![
        Claim::new(
            words(
                "Realization-probability search searches likely lines deep",
                "実現確率探索は、実現確率の高い手順を優先して深く探索する",
            ),
            entry("realization-probability search", "実現確率探索"),
            [Test::new("longest line realization : alpha-beta", longest(), Above(1.0))],
        ),
        Claim::new(
            words(
                "ABC search searches forced lines deep",
                "ABC 探索は、より強制された手順を優先して深く探索する",
            ),
            entry("ABC search", "ABC探索"),
            [Test::new("longest line abc : alpha-beta", longest(), Above(1.0))],
        ),
        Claim::new(
            words(
                "On the way of golds, silvers and king into the castle the value rises step by step",
                "囲いへの経路では評価値が少しずつ上昇し、囲いの位置で最大になる",
            ),
            entry("pitfall", "落とし穴"),
            [
                Test::new(
                    "falling steps",
                    words("steps on which the castle term falls", "囲いの項が下がる手数"),
                    AtMost(0.0),
                )
                .decimals(0),
                Test::new(
                    "least gain",
                    words("least gain of a way, cp", "各経路の上昇の最小値（cp）"),
                    Above(0.0),
                )
                .decimals(0),
            ],
        )
        .remark(words(
            "Of the evaluation `Classical`; all steps of six castles were walked, so that there is no interval.",
            "評価関数 `Classical` による。6種の囲いの全経路を調べたので区間はない。",
        )),
        Claim::new(
            words(
                "A search of captures values a position better than the static evaluation",
                "駒を取る手の静止探索は、局面をそのまま評価するより正確である",
            ),
            entry("quiescence search", "静止探索"),
            [Test::new(
                "variance captures : static",
                words(
                    "variance of the difference to a search of all moves, captures : static",
                    "全ての手の探索との差の分散、駒を取る手 : 静的評価",
                ),
                Below(1.0),
            )],
        ),
        Claim::new(
            words(
                "With keys of 64 bits the danger that different positions have the same one is quite small",
                "64ビットのハッシュ値なら、違う局面が同じ値になる危険性はかなり少ない",
            ),
            entry("hash keys", "ハッシュの作り方"),
            [Test::new(
                "equal keys",
                words("part of positions with the key of another one", "他の局面と同じ値になった割合"),
                Below(1e-4),
            )
            .decimals(6)],
        )
        .remark(words(
            "The glossary's space of \"1^64\" keys is 2^64.",
            "用語集の「1^64の空間」は 2^64 の誤記である。",
        )),
        Claim::new(
            words(
                "The Monte Carlo method approximates π by random points",
                "モンテカルロ法では、ランダムな点により円周率が近似できる",
            ),
            entry("Monte Carlo method", "モンテカルロ法"),
            [Test::new("pi", words("π by points in a square", "正方形内の点による π"), Within(3.13, 3.15))
                .theirs(core::f64::consts::PI)
                .decimals(4)],
        ),
        Claim::elsewhere(
            words(
                "Progress is measured by promoted pieces, pieces near the king, hands or the centroid",
                "進行度は成り駒の数、敵王に近い駒の数、持ち駒の数、位取りの重心などで計る",
            ),
            entry("progress", "進行度"),
            "komadai-lab tune-evaluation progress DATA",
        ),
        Claim::elsewhere(
            words(
                "The Bonanza method raises the agreement of the search with the moves of records",
                "ボナンザメソッドは棋譜と探索結果の一致度を上昇させる",
            ),
            entry("Bonanza method", "ボナンザメソッド"),
            "komadai train compare OUT DATA --methods mmto",
        ),
        Claim::elsewhere(
            words(
                "Sequences of moves (n-grams) are tesuji that are frequent in records",
                "棋譜によく現れる手順（n-gram）を手筋として取り出せる",
            ),
            entry("n-gram tesuji macros", "n-gram手筋マクロ"),
            "komadai-lab mine-tesuji",
        ),
        Claim::elsewhere(
            words(
                "Two threats at once are more effective than one",
                "一つより二つの脅威を相手に与える方が効果的である",
            ),
            entry("two threats", "二つの脅威"),
            "komadai-lab fit-gain",
        ),
    ]
}
