//! Lines that a person types.

/// A command, or a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command<'t> {
    Help,
    Hint,
    Eval,
    Undo,
    Moves,
    Legal,
    Board,
    Flip,
    Comment(&'t str),
    Save(&'t str),
    Declare,
    Resign,
    Quit,
    /// Any other text.
    Move(&'t str),
}

impl<'t> Command<'t> {
    /// Reads a line: a command in English or Japanese, or a move.
    pub(super) fn read(line: &'t str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let of_word = match word.to_ascii_lowercase().as_str() {
            "save" | "保存" => return Self::Save(rest),
            "comment" | "コメント" => return Self::Comment(rest),
            "help" | "?" | "ヘルプ" => Self::Help,
            "hint" | "ヒント" => Self::Hint,
            "eval" | "形勢" => Self::Eval,
            "undo" | "待った" => Self::Undo,
            "moves" | "棋譜" => Self::Moves,
            "legal" | "合法手" => Self::Legal,
            "board" | "盤" => Self::Board,
            "flip" | "反転" => Self::Flip,
            "declare" | "宣言" => Self::Declare,
            "resign" | "投了" => Self::Resign,
            "quit" | "exit" | "終了" => Self::Quit,
            _ => return Self::Move(line),
        };
        // With words after it, it is none.
        if rest.is_empty() { of_word } else { Self::Move(line) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_words_of_both_languages() {
        for (line, command) in [
            ("undo", Command::Undo),
            (" 待った ", Command::Undo),
            ("HINT", Command::Hint),
            ("?", Command::Help),
            ("save my game.kif", Command::Save("my game.kif")),
            ("保存　a.csa", Command::Save("a.csa")),
            ("save", Command::Save("")),
            ("comment  a plan", Command::Comment("a plan")),
            ("7g7f", Command::Move("7g7f")),
            ("undo all", Command::Move("undo all")),
        ] {
            assert_eq!(Command::read(line), command, "{line}");
        }
    }
}
