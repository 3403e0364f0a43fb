//! The reports of a search, read strictly.

use komadai_core::{Move, Score};

use crate::words::Words;

/// A fault of a report in English and Japanese.
pub(super) type Fault = (String, String);

/// Words that stand in a variation in place of a move and end it.
const ENDINGS: [&str; 12] = [
    "resign", "win", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf", "rep_none", "null",
    "pass", "none", "0000",
];

/// Returns the first fault of an `info` line. Fields that USI does not have are skipped.
pub(super) fn fault(line: &str) -> Option<Fault> {
    let mut words = Words::new(line);
    words.eat("info");
    while let Some(word) = words.next() {
        match word {
            "depth" | "seldepth" | "multipv" | "time" | "nodes" | "nps" | "hashfull" => {
                if let Err(found) = value::<u64>(&mut words) {
                    return Some(no_value(word, &found));
                }
            }
            "currmove" => {
                if let Err(found) = value::<Move>(&mut words) {
                    return Some(no_value(word, &found));
                }
            }
            "score" => {
                let unit = words.next().unwrap_or_default();
                let number = words.next().unwrap_or_default();
                let is_score = matches!(unit, "cp" | "mate");
                if !is_score || format!("{unit} {number}").parse::<Score>().is_err() {
                    return Some(no_value(word, &format!("{unit} {number}")));
                }
                let _ = words.eat("lowerbound") || words.eat("upperbound");
            }
            "lowerbound" | "upperbound" => {
                let (english, japanese) = ("does not follow the score", "が score の直後にない");
                return Some((format!("{word} {english}"), format!("{word} {japanese}")));
            }
            "pv" => return variation_fault(words),
            "string" | "refutation" | "currline" => return None,
            _ => {}
        }
    }
    None
}

fn value<T: core::str::FromStr>(words: &mut Words<'_>) -> Result<T, String> {
    let word = words.next().unwrap_or_default();
    word.parse().map_err(|_| word.to_owned())
}

fn no_value(key: &str, found: &str) -> Fault {
    (format!("{key} cannot be {found:?}"), format!("{key} の値が {found:?}"))
}

fn variation_fault(words: Words<'_>) -> Option<Fault> {
    let moves = words.take_while(|word| !ENDINGS.contains(word));
    let wrong = moves.into_iter().find(|word| word.parse::<Move>().is_err())?;
    Some((format!("{wrong:?} in pv is no move"), format!("pv の {wrong:?} は指し手でない")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_engines_have_no_faults() {
        for line in [
            "info depth 3 seldepth 5 score cp -35 lowerbound nodes 90 nps 9 time 10 hashfull 0 pv 7g7f P*5e",
            "info depth 1 multipv 2 score mate - pv 7g7f rep_draw",
            "info score mate +0 pv resign",
            "info currmove 8h2b+ currmovenumber 3",
            "info string pv e2e4 and anything",
            "info tbhits 0 depth 4",
            "info",
        ] {
            assert_eq!(fault(line), None, "{line}");
        }
    }

    #[test]
    fn faults_are_found() {
        for (line, part) in [
            ("info depth -1 score cp 3", "depth cannot be"),
            ("info nodes x", "nodes"),
            ("info score 35 pv 7g7f", "score"),
            ("info score cp", "score"),
            ("info score cp 3.5", "score"),
            ("info lowerbound score cp 3", "lowerbound"),
            ("info currmove e2e4", "currmove"),
            ("info pv 7g7f score cp 3", "\"score\" in pv"),
            ("info hashfull 12%", "hashfull"),
        ] {
            let (english, _) = fault(line).unwrap_or_else(|| panic!("{line}"));
            assert!(english.contains(part), "{line}: {english}");
        }
    }
}
