//! `info`: reports of a search.

use core::fmt;
use core::time::Duration;

use komadai_core::{Analysis, Bound, Line, Move, Pv, Score};

use crate::limits::whole_milliseconds;
use crate::words::{Labelled, Words, one_line};

/// One `info` line. Missing fields are `None`. A report of one's own has those of
/// [`Info::default`] for the rest.
///
/// Reading never fails: unknown words are skipped, a field that cannot be read counts as missing,
/// and a variation ends at the first word that is not a move. Written text is read as the same
/// fields, except that times are written in whole milliseconds. Text for the user is kept verbatim
/// up to the blanks at its ends; a line break or a NUL inside becomes a space.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
/// use komadai_usi::Info;
///
/// let info = Info::from_usi("depth 12 score cp 35 lowerbound nodes 1234 pv 7g7f 3c3d");
/// assert_eq!(info.score, Some(Score::cp(35)));
/// assert_eq!(info.pv().len(), 2);
/// assert_eq!(Info::text("ready soon").to_string(), "string ready soon");
/// let info = Info { depth: Some(3), nodes: Some(90), ..Info::default() };
/// assert_eq!(info.to_string(), "depth 3 nodes 90");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Depth of the search in plies.
    pub depth: Option<u32>,
    /// Selective depth: the depth of the deepest line, in plies.
    pub seldepth: Option<u32>,
    /// Rank of the line among several (MultiPV), from 1.
    pub multi_pv: Option<u32>,
    /// Value for the side to move.
    pub score: Option<Score>,
    /// The kind of the value: exact or a bound.
    pub bound: Bound,
    /// Time since the start, in whole milliseconds.
    pub time: Option<Duration>,
    /// Number of nodes since the start.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Fill of the hash table in thousandths.
    pub hash_full: Option<u32>,
    /// The root move that is being searched.
    pub current_move: Option<Move>,
    /// The end of the line.
    pub tail: Tail,
}

/// The end of an `info` line: a variation or text. Both extend to the end of the line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Tail {
    /// Neither variation nor text.
    #[default]
    None,
    /// `pv`: the principal variation.
    Pv(Pv),
    /// `string`: text for the user.
    Text(String),
    /// `pv resign`: the side to move has lost, and there is no move to show.
    Resign,
    /// `pv win`: the side to move declares a win.
    Win,
}

impl Info {
    /// Returns a line of text for the user (`info string …`).
    pub fn text(text: impl Into<String>) -> Self {
        Self { tail: Tail::Text(text.into()), ..Self::default() }
    }

    /// Reads the fields after `info`.
    pub fn from_usi(text: &str) -> Self {
        let mut info = Self::default();
        let text = one_line(text);
        let mut words = Words::new(&text);
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = read(&mut words),
                "seldepth" => info.seldepth = read(&mut words),
                "multipv" => info.multi_pv = read(&mut words),
                "time" => info.time = read(&mut words).map(Duration::from_millis),
                "nodes" => info.nodes = read(&mut words),
                "nps" => info.nps = read(&mut words),
                "hashfull" => info.hash_full = read(&mut words),
                "currmove" => info.current_move = read(&mut words),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "score" => info.score = read_score(&mut words),
                // A variation and a text extend to the end of the line.
                "pv" => {
                    info.tail = match words.peek() {
                        Some("resign") => Tail::Resign,
                        Some("win") => Tail::Win,
                        _ => Tail::Pv(words.map_while(|word| word.parse().ok()).collect()),
                    };
                    return info;
                }
                "string" => {
                    info.tail = Tail::Text(words.rest().to_owned());
                    return info;
                }
                _ => {}
            }
        }
        info
    }

    /// Returns the lines that report an analysis, one for each variation, best first.
    ///
    /// The depth is the line's own, or that of the analysis if the line's is not known. The speed
    /// is computed from nodes and time.
    pub fn from_analysis(analysis: &Analysis) -> impl Iterator<Item = Self> + '_ {
        let is_ranked = analysis.lines.len() > 1;
        (1..).zip(&analysis.lines).map(move |(rank, line)| Self {
            depth: Some(if line.depth > 0 { line.depth } else { analysis.depth }),
            seldepth: (analysis.seldepth > 0).then_some(analysis.seldepth),
            multi_pv: is_ranked.then_some(rank),
            score: Some(line.score),
            bound: line.bound,
            time: Some(analysis.time),
            nodes: Some(analysis.nodes),
            nps: nodes_per_second(analysis),
            tail: if line.pv.is_empty() { Tail::None } else { Tail::Pv(line.pv.clone()) },
            ..Self::default()
        })
    }

    /// Returns the principal variation, empty if the line has none.
    pub fn pv(&self) -> &[Move] {
        match &self.tail {
            Tail::Pv(pv) => pv,
            Tail::None | Tail::Text(_) | Tail::Resign | Tail::Win => &[],
        }
    }

    /// Returns depth, score and variation, if the line has a score.
    pub fn line(&self) -> Option<Line> {
        let depth = self.depth.unwrap_or(0);
        Some(Line { depth, score: self.score?, bound: self.bound, pv: self.pv().into() })
    }
}

fn nodes_per_second(analysis: &Analysis) -> Option<u64> {
    let milliseconds = analysis.time.as_millis();
    let nps = (u128::from(analysis.nodes) * 1000).checked_div(milliseconds)?;
    Some(u64::try_from(nps).unwrap_or(u64::MAX))
}

/// Reads the next word as a value. If that fails, the word stays unread, because it may begin
/// another field.
fn read<T: core::str::FromStr>(words: &mut Words<'_>) -> Option<T> {
    let value = words.peek()?.parse().ok()?;
    words.next();
    Some(value)
}

/// Reads `cp N`, `mate N`, `mate +`, `mate -` and similar forms. A word that is not part of a score
/// stays unread.
fn read_score(words: &mut Words<'_>) -> Option<Score> {
    let unit = words.peek().filter(|word| matches!(*word, "cp" | "mate"))?;
    words.next();
    let score = format!("{unit} {}", words.peek()?).parse().ok()?;
    words.next();
    Some(score)
}

/// Writes the fields after `info`.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut blank = "";
        let mut field = |name: &str, value: Option<&dyn fmt::Display>| match value {
            None => Ok(()),
            Some(value) => write!(f, "{}{name}{value}", core::mem::replace(&mut blank, " ")),
        };
        fn some<T: fmt::Display>(value: &Option<T>) -> Option<&dyn fmt::Display> {
            value.as_ref().map(|value| value as &dyn fmt::Display)
        }
        field("depth ", some(&self.depth))?;
        field("seldepth ", some(&self.seldepth))?;
        field("multipv ", some(&self.multi_pv))?;
        field("score ", some(&self.score))?;
        match self.bound {
            Bound::Exact => {}
            Bound::Lower => field("lowerbound", Some(&""))?,
            Bound::Upper => field("upperbound", Some(&""))?,
        }
        field("time ", some(&self.time.map(whole_milliseconds)))?;
        field("nodes ", some(&self.nodes))?;
        field("nps ", some(&self.nps))?;
        field("hashfull ", some(&self.hash_full))?;
        field("currmove ", some(&self.current_move))?;
        match &self.tail {
            Tail::None => Ok(()),
            Tail::Pv(pv) if pv.is_empty() => field("pv", Some(&"")),
            Tail::Pv(pv) => field("pv ", Some(pv)),
            Tail::Text(text) => field("", Some(&Labelled("string", text))),
            Tail::Resign => field("pv resign", Some(&"")),
            Tail::Win => field("pv win", Some(&"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_reads_back() {
        for text in [
            "depth 12 seldepth 20 multipv 2 score cp -35 lowerbound time 120 nodes 5000 nps 41666 \
             hashfull 7 currmove P*5e pv 7g7f 3c3d 8h2b+",
            "score mate 5 upperbound",
            "score mate -",
            "depth 0 score cp 3 string book",
            "string loading eval … 40%",
            "string",
            "depth 3 pv",
            "depth 0 score mate -0 pv resign",
            "score cp 30000 pv win",
            "currmove 7g7f",
            "",
        ] {
            assert_eq!(Info::from_usi(text).to_string(), text);
        }
    }

    #[test]
    fn every_spelling_of_a_mate_is_read() {
        for (text, score) in [
            ("mate +", Score::MATE_OF_UNKNOWN_LENGTH),
            ("mate -", -Score::MATE_OF_UNKNOWN_LENGTH),
            ("mate +0", Score::MATE),
            ("mate -0", -Score::MATE),
            ("mate 0", Score::MATE),
            ("mate 3", Score::mate_in(3)),
            ("mate -4", Score::mated_in(4)),
        ] {
            let info = Info::from_usi(&format!("depth 3 score {text} nodes 5"));
            assert_eq!((info.score, info.nodes), (Some(score), Some(5)), "{text}");
        }
    }

    #[test]
    fn unreadable_fields_count_as_missing() {
        let info = Info::from_usi("depth nodes 7 score wdl 1 2 3 time -4 nps x hashfull 3 pv 7g7f");
        assert_eq!(info.to_string(), "nodes 7 hashfull 3 pv 7g7f");
        let info = Info::from_usi("score cp high depth 3 multipv -1");
        assert_eq!(info.to_string(), "depth 3");
        assert_eq!(Info::from_usi("score cp").score, None);
        assert_eq!(Info::from_usi("score").score, None);
    }

    #[test]
    fn a_variation_ends_at_the_first_word_that_is_no_move() {
        for end in ["resign", "win", "rep_draw", "0000", "string x", "(57.48%)", "7g7f7f"] {
            let info = Info::from_usi(&format!("depth 1 pv 7g7f 3c3d {end} 2g2f"));
            assert_eq!(info.pv().len(), 2, "{end}");
        }
    }

    #[test]
    fn text_stays_on_its_line() {
        assert_eq!(Info::text("a\nbestmove resign").to_string(), "string a bestmove resign");
    }

    #[test]
    fn an_analysis_is_a_line_for_each_variation() {
        let line = |score, pv: &str| Line::exact(Score::cp(score), pv.parse().expect("moves"));
        let mut analysis = Analysis {
            depth: 9,
            seldepth: 14,
            nodes: 3000,
            time: Duration::from_millis(2),
            lines: vec![line(30, "7g7f"), line(20, "2g2f")],
            completed: true,
        };
        let lines: Vec<_> = Info::from_analysis(&analysis).map(|info| info.to_string()).collect();
        let common = "time 2 nodes 3000 nps 1500000";
        assert_eq!(lines[0], format!("depth 9 seldepth 14 multipv 1 score cp 30 {common} pv 7g7f"));
        assert_eq!(lines[1], format!("depth 9 seldepth 14 multipv 2 score cp 20 {common} pv 2g2f"));
        // An iteration that did not get beyond the first line.
        analysis.lines[0].depth = 10;
        let depths: Vec<_> = Info::from_analysis(&analysis).map(|info| info.depth).collect();
        assert_eq!(depths, [Some(10), Some(9)]);
        analysis.lines.truncate(1);
        analysis.lines[0].depth = 0;
        analysis.time = Duration::ZERO;
        let line = Info::from_analysis(&analysis).next().map(|info| info.to_string());
        let expected = "depth 9 seldepth 14 score cp 30 time 0 nodes 3000 pv 7g7f";
        assert_eq!(line.as_deref(), Some(expected));
    }
}
