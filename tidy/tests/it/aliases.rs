//! The Japanese terms and their romaji by which the documentation can be searched.

use std::collections::BTreeSet;

use tidy::source::{SourceFile, files_below, read, relative, root, workspace};

/// The terms. Each is a `#[doc(alias = …)]` of the item that it names, so that a search for it
/// finds the item.
const TERMS: &[&str] = &[
    // Pieces and places.
    "駒",
    "歩",
    "香",
    "桂",
    "銀",
    "金",
    "角",
    "飛",
    "玉",
    "王",
    "と金",
    "成香",
    "成桂",
    "成銀",
    "馬",
    "龍",
    "竜",
    "持ち駒",
    "駒台",
    "先手",
    "後手",
    "上手",
    "下手",
    "手番",
    "筋",
    "段",
    "利き",
    // Positions, moves and rules.
    "局面",
    "平手",
    "指し手",
    "合法手",
    "王手",
    "反則",
    "二歩",
    "打ち歩詰め",
    "uchifuzume",
    "行き所のない駒",
    "千日手",
    "sennichite",
    "連続王手の千日手",
    "入玉宣言",
    "nyugyoku",
    "トライルール",
    "最大手数",
    "持将棋",
    "投了",
    "切れ負け",
    "手合割",
    "駒落ち",
    // Records, search and mates.
    "棋譜",
    "kifu",
    "符号",
    "教師データ",
    "教師局面",
    "評価関数",
    "評価値",
    "駒割り",
    "進行度",
    "詰めろ",
    "詰み予測",
    "探索",
    "探索量",
    "置換表",
    "静止探索",
    "枝刈り",
    "手筋",
    "実現確率探索",
    "読み筋",
    "候補手",
    "検討",
    "一手詰め",
    "詰み",
    "詰将棋",
    "tsumeshogi",
    "最短手順",
    "証明数探索",
    // Books, engines and pictures.
    "定跡",
    "joseki",
    "ペタショック",
    "将棋エンジン",
    "時間管理",
    "持ち時間",
    "秒読み",
    "対局",
    "盤面",
    "局面図",
];

/// The aliases that a file gives to items, in both spellings of the attribute.
fn aliases(file: &SourceFile) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for start in 0..file.code.len() {
        let words = file.code[start..].iter().map(|token| token.text.as_str());
        if words.clone().take(5).eq(["#", "[", "doc", "(", "alias"]) {
            let texts = words.take_while(|text| *text != "]").filter(|text| text.starts_with('"'));
            found.extend(texts.map(|text| text.trim_matches('"')));
        }
    }
    found
}

#[test]
fn japanese_terms_find_their_items() {
    let libraries = workspace().files.iter().filter(|file| file.path.contains("/src/"));
    let found: BTreeSet<&str> = libraries.flat_map(aliases).collect();
    let missing: Vec<&&str> = TERMS.iter().filter(|term| !found.contains(*term)).collect();
    assert!(TERMS.len() >= 60);
    assert!(
        missing.is_empty(),
        "a search of the documentation for {missing:?} finds nothing; add `#[doc(alias = \"…\")]` \
         to the item that the term names"
    );
}

/// Checks whether the module of a file below `src` is private, so that its items are shown
/// elsewhere.
fn is_in_private_module(path: &str) -> bool {
    let Some((folder, rest)) = path.split_once("/src/") else { return false };
    let module = rest.split(['/', '.']).next().unwrap_or_default();
    let library = read(&root().join(folder).join("src/lib.rs"));
    module != "lib" && !library.contains(&format!("pub mod {module};"))
}

#[test]
fn aliases_stand_where_rustdoc_keeps_them() {
    let mut found = Vec::new();
    for path in files_below(&root().join("crates"), "rs") {
        let name = relative(&path);
        let text = read(&path);
        // Aliases of methods and variants are indented, and are kept.
        let lines = text.lines().filter(|line| line.starts_with("#[doc(alias")).count();
        if lines > 0 && is_in_private_module(&name) {
            found.push(format!("{name}: {lines}"));
        }
    }
    assert!(
        found.is_empty(),
        "rustdoc drops the aliases of an item that it shows under another path than that of its \
         module. Write them before the `pub use` in `lib.rs`:\n{}",
        found.join("\n")
    );
}

#[test]
fn aliases_are_read() {
    let (file, _) = SourceFile::new(
        "a.rs",
        "#[doc(alias = \"歩\")]\n#[doc(alias(\"と\", \"tokin\"))]\nstruct P; // #[doc(alias = \"x\")]\n\
         #[doc = \"y\"]\nstruct Q;",
    );
    assert_eq!(aliases(&file).into_iter().collect::<Vec<_>>(), ["tokin", "と", "歩"]);
}
