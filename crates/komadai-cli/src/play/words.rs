//! Words in both languages.

use komadai::Color;
use komadai::core::Language;
use komadai::matches::{Ending, Verdict};

/// The help text.
pub(super) fn help(language: Language) -> &'static str {
    language.choose(
        "\
a move        7g7f, P-7f, P7f, P76, 7776FU, ７六歩
hint          the best move and the line that is expected
eval          the value of the position
undo          take your last move back
moves         the moves so far; legal: the legal moves
board, flip   show the board, turn it
comment TEXT  a comment on the last move for the record
save FILE     write the record (.kif, .csa, .ki2, .jkf, .usi)
declare       declare a win by an entered king
resign, quit  end the game, or leave it",
        "\
指し手          ７六歩、76歩、同銀、7g7f、P-7f、7776FU
ヒント          最善手と読み筋
形勢            評価値
待った          自分の最後の手を戻す
棋譜            ここまでの指し手。合法手：指せる手の一覧
盤、反転        盤を表示、上下を反転
コメント 文     最後の手への棋譜コメント
保存 ファイル   棋譜を保存（.kif、.csa、.ki2、.jkf、.usi）
宣言            入玉宣言
投了、終了      投了する、対局をやめる",
    )
}

/// Returns the name of a side; in games with a handicap that of its role.
pub(super) fn side(color: Color, is_handicap: bool, language: Language) -> &'static str {
    match (color, is_handicap) {
        (Color::Black, false) => language.choose("Black", "先手"),
        (Color::White, false) => language.choose("White", "後手"),
        (Color::Black, true) => language.choose("Black", "下手"),
        (Color::White, true) => language.choose("White", "上手"),
    }
}

/// Returns the end of a game of `own` after this number of moves.
pub(super) fn end(verdict: Verdict, own: Color, moves: usize, language: Language) -> String {
    let winner = match verdict.winner {
        None => language.choose("a draw", "引き分け"),
        Some(winner) if winner == own => language.choose("you win", "あなたの勝ち"),
        Some(_) => language.choose("you lose", "あなたの負け"),
    };
    let reason = reason(verdict, language);
    match language {
        Language::English => {
            let plural = if moves == 1 { "" } else { "s" };
            format!("The game is over after {moves} move{plural}: {winner} ({reason}).")
        }
        Language::Japanese => format!("{moves}手で終局：{winner}（{reason}）"),
    }
}

fn reason(verdict: Verdict, language: Language) -> &'static str {
    let is_draw = verdict.winner.is_none();
    let japanese = match verdict.ending {
        Ending::Checkmate => "詰み",
        Ending::Resignation => "投了",
        Ending::Declaration if is_draw => "持将棋",
        Ending::Declaration => "入玉宣言",
        Ending::Try => "トライ",
        Ending::Repetition => "千日手",
        Ending::PerpetualCheck => "連続王手の千日手",
        Ending::MaxMoves => "最大手数",
        Ending::TimeForfeit => "時間切れ",
        Ending::Fault(_) => "エンジンの異常",
        _ => "終局",
    };
    language.choose(verdict.ending.name(), japanese)
}

/// Returns a time as `m:ss`, or `h:mm:ss`.
pub(super) fn clock(seconds: u64) -> String {
    match seconds / 3_600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_told_from_the_side_of_the_person() {
        let lost = Verdict::win(Color::White, Ending::Checkmate);
        let english = end(lost, Color::Black, 1, Language::English);
        assert_eq!(english, "The game is over after 1 move: you lose (checkmate).");
        let japanese = end(lost, Color::White, 80, Language::Japanese);
        assert_eq!(japanese, "80手で終局：あなたの勝ち（詰み）");
        let draw = end(Verdict::draw(Ending::Declaration), Color::White, 200, Language::Japanese);
        assert_eq!(draw, "200手で終局：引き分け（持将棋）");
    }
}
