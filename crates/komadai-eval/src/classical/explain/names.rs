//! Names of groups and terms, in English and in Japanese.

use komadai_core::{Language, PieceKind, Square};

use super::change::TermChange;
use super::explanation::Term;
use crate::classical::castle::CASTLE_COUNT;
use crate::classical::groups::Group;

impl Group {
    /// Returns the name of the group for people. [`name`](Self::name) is that of parameter texts.
    #[must_use]
    pub const fn label(self, language: Language) -> &'static str {
        let [english, japanese] = match self {
            Self::Piece => ["piece values", "駒の価値"],
            Self::Hand => ["pieces in hand", "持ち駒"],
            Self::HandAttack => ["hand against the king", "持ち駒の脅威"],
            Self::Square => ["squares of pieces", "駒の位置"],
            Self::OwnKing => ["places by own king", "自玉との位置関係"],
            Self::EnemyKing => ["places by enemy king", "敵玉との位置関係"],
            Self::Castle => ["castles", "囲い"],
            Self::NearKing => ["attackers near the king", "玉の周囲の利き"],
            Self::Hole => ["holes next to the king", "玉の周囲の隙"],
            Self::Escape => ["escape squares", "玉の逃げ道"],
            Self::Threat => ["threats, loose pieces", "当たりと浮き駒"],
            Self::SecondThreat => ["second threat", "二番目の当たり"],
            Self::PawnFiles => ["files for pawn drops", "歩を打てる筋"],
            Self::Tempo => ["right to move", "手番"],
        };
        match language {
            Language::English => english,
            Language::Japanese => japanese,
        }
    }
}

/// `[castle][language]`, in the order of the weights.
const CASTLES: [[&str; 2]; CASTLE_COUNT] = [
    ["mino", "美濃囲い"],
    ["yagura", "矢倉囲い"],
    ["anaguma", "穴熊"],
    ["boat", "舟囲い"],
    ["crab", "カニ囲い"],
    ["middle king", "中住まい"],
];

/// `[contact][language]`, in the order of the weights.
const CONTACTS: [[&str; 2]; 4] = [
    ["attacked, not guarded", "当たり（紐なし）"],
    ["attacked by a cheaper piece", "安い駒の当たり"],
    ["attacked and guarded", "当たり（紐付き）"],
    ["loose", "浮き駒"],
];

impl Term {
    /// Returns the name of the term within its group, for people: its piece, its squares and the
    /// condition under which its weight counts. [`Group::label`] is the name of the group.
    pub fn label(&self, language: Language) -> String {
        let parts = self.parts(language);
        let parts: Vec<String> = parts.into_iter().map(|(name, value)| name + &value).collect();
        parts.join(separator(language))
    }

    /// Returns the parts of the name: each a name and a value, such as `king ` and `2h`.
    fn parts(&self, language: Language) -> Vec<(String, String)> {
        let place = self.group.place(self.index);
        let part = |english: &str, japanese: &str, value: String| {
            (language.choose(english, japanese).to_owned(), value)
        };
        let text = |[english, japanese]: [&str; 2]| {
            part("", "", language.choose(english, japanese).to_owned())
        };
        let king = |english, japanese| {
            let king = self.king.map(|king| square_name(king, language));
            part(english, japanese, king.unwrap_or_else(|| "-".to_owned()))
        };
        match self.group {
            Group::Piece | Group::Square => vec![self.piece(language)],
            Group::Hand => {
                let number = [["first", "1枚目"], ["second", "2枚目"], ["each more", "3枚目以降"]];
                vec![self.piece(language), text(number[place[1]])]
            }
            Group::OwnKing => vec![self.piece(language), king("king ", "自玉 ")],
            Group::HandAttack | Group::EnemyKing => {
                vec![self.piece(language), king("enemy king ", "敵玉 ")]
            }
            Group::Castle if self.kind == Some(PieceKind::King) => {
                vec![text(CASTLES[place[0]]), self.piece(language)]
            }
            Group::Castle => {
                vec![text(CASTLES[place[0]]), self.piece(language), king("king ", "自玉 ")]
            }
            Group::NearKing => {
                // Attackers are counted to two.
                let count = |count| ["0", "1", "2+"][count];
                let own = (place[0] + 1) / 3;
                let enemy = (place[0] + 1) % 3;
                let attackers = format!("{}:{}", count(own), count(enemy));
                let square = self.square.map(|square| square_name(square, language));
                vec![
                    part("", "", square.unwrap_or_default()),
                    king("king ", "自玉 "),
                    part("attackers ", "利き ", attackers),
                ]
            }
            Group::Hole => {
                vec![king("king ", "自玉 "), part("holes ", "隙 ", place[1].to_string())]
            }
            Group::Escape => {
                vec![king("king ", "自玉 "), part("squares ", "マス ", place[0].to_string())]
            }
            Group::Threat => vec![self.piece(language), text(CONTACTS[place[2]])],
            Group::SecondThreat => {
                let turns = [["own turn", "自分の手番"], ["other side's turn", "相手の手番"]];
                vec![text(turns[place[0]])]
            }
            Group::PawnFiles => vec![part("files ", "筋 ", place[0].to_string())],
            Group::Tempo => vec![text(["side to move", "手番の側"])],
        }
    }

    /// Returns the piece and its square.
    fn piece(&self, language: Language) -> (String, String) {
        let kind = self.kind.unwrap_or(PieceKind::King);
        let name = match language {
            Language::English => format!("{} ", kind.to_sfen()),
            Language::Japanese => format!("{} ", kind.to_kanji()),
        };
        let held = language.choose("in hand", "持ち駒");
        (name, self.square.map_or_else(|| held.to_owned(), |square| square_name(square, language)))
    }
}

impl TermChange {
    /// Returns the name of the term, for people, with its change: `P 9c, enemy king 2h → 1i`. A
    /// term of one position alone has the name that it has there.
    pub fn label(&self, language: Language) -> String {
        let (before, after) = match (self.before, self.after) {
            (Some(before), Some(after)) => (before, after),
            (term, None) | (None, term) => {
                return term.map(|term| term.label(language)).unwrap_or_default();
            }
        };
        let old = before.parts(language);
        let new = after.parts(language);
        if old.len() != new.len() {
            return format!("{} → {}", before.label(language), after.label(language));
        }
        let both = old.into_iter().zip(new).map(|((old_name, old), (name, new))| {
            match (old_name == name, old == new) {
                (true, true) => name + &new,
                (true, false) => format!("{name}{old} → {new}"),
                (false, _) => format!("{old_name}{old} → {name}{new}"),
            }
        });
        both.collect::<Vec<_>>().join(separator(language))
    }
}

/// Returns the sign between the parts of a name.
fn separator(language: Language) -> &'static str {
    language.choose(", ", "、")
}

/// Returns the name of a square: `7g` or `７七`.
fn square_name(square: Square, language: Language) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    match language {
        Language::English => square.to_string(),
        Language::Japanese => {
            [FILES[square.file().index()], RANKS[square.rank().index()]].iter().collect()
        }
    }
}
