//! Claims and faults of certificates in words.

use komadai_core::Language;

use super::error::{CertificateError, CertifyError};
use super::listing::Claim;

impl Claim {
    /// Returns the claim in a language; `Display` writes it as files have it.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Language;
    /// use komadai_problems::certificate::Claim;
    ///
    /// assert_eq!(Claim::MateWithin(7).text(Language::Japanese), "7手以内の詰み");
    /// assert_eq!(Claim::NoMate.text(Language::English), "no mate");
    /// ```
    pub fn text(self, language: Language) -> String {
        match self {
            Self::MateWithin(1) => language.choose("mate in 1 ply", "1手詰").to_owned(),
            Self::MateWithin(plies) => language
                .choose(format!("mate within {plies} plies"), format!("{plies}手以内の詰み")),
            Self::NoMate => language.choose("no mate", "不詰").to_owned(),
        }
    }
}

impl CertificateError {
    /// Returns the fault in a language; `Display` writes it in English.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Language;
    /// use komadai_problems::certificate::check;
    ///
    /// let text = "komadai-certificate 1\nclaim mate 1\n4k4/9/9/9/9/9/9/9/9 b G: 1 G*5b\nend 1\n";
    /// let error = check(text.as_bytes(), 1_000).unwrap_err();
    /// let japanese = error.text(Language::Japanese);
    /// assert!(japanese.starts_with("3行目：証明の手数が尽きたが、"), "{japanese}");
    /// assert_eq!(error.text(Language::English), error.to_string());
    /// ```
    pub fn text(&self, language: Language) -> String {
        let reason = match self {
            _ if language == Language::English => return self.to_string(),
            Self::Io { error, .. } => format!("続きを読めない：{error}"),
            Self::LineTooLong { limit, .. } => format!("行が {limit} バイトより長い"),
            Self::Syntax { found, expected, .. } => {
                format!("{found:?} がある。{expected} が必要")
            }
            Self::Position { error, .. } => format!("局面の誤り：{error}"),
            Self::TooManyPositions { limit, .. } => format!("局面が {limit} を超える"),
            Self::Unreached { .. } => "前の行から到達しない局面、または二度書かれた局面".to_owned(),
            Self::IllegalMove { m, .. } => format!("{m} は合法手でない"),
            Self::NoCheck { m, .. } => format!("{m} は王手でない"),
            Self::NotMated { reply, .. } => {
                format!("証明の手数が尽きたが、{reply} で王手を逃れる")
            }
            Self::TooManyPlies { found, most, .. } => {
                format!("{found}手以内の詰みとあるが、{most}手以内でなければならない")
            }
            Self::Unanswered { check, found, .. } => {
                let found = found.map_or_else(|| "何もない".to_owned(), |m| m.to_string());
                format!("王手 {check} への合法な応手がない。書かれている応手：{found}")
            }
            Self::SurplusReplies { replies, checks, .. } => {
                format!("応手が {replies} あるが、王手は {checks} しかない")
            }
            Self::Unproven { missing, example, .. } => {
                format!("到達したのに書かれていない局面が {missing} ある。例：{example}")
            }
            Self::WrongCount { stated, found, .. } => {
                format!("局面は {found} だが、{stated} と書かれている")
            }
        };
        format!("{}行目：{reason}", self.line())
    }
}

impl CertifyError {
    /// Returns the reason in a language; `Display` writes it in English.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Language;
    /// use komadai_problems::certificate::CertifyError;
    ///
    /// let error = CertifyError::TooManyPositions { limit: 10 };
    /// assert_eq!(error.text(Language::Japanese), "証明の局面が 10 を超える");
    /// ```
    pub fn text(&self, language: Language) -> String {
        match self {
            _ if language == Language::English => self.to_string(),
            Self::Undecided { position, .. } => {
                format!("ソルバーが解けなかった局面：{position}")
            }
            Self::TooManyPositions { limit } => format!("証明の局面が {limit} を超える"),
            Self::Contradiction { position, .. } => {
                format!("ソルバーの答えが矛盾している：{position}")
            }
        }
    }
}
