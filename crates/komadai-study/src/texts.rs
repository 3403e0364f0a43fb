//! The texts that every page has.

use crate::words::{Words, words};

pub(crate) fn source() -> Words {
    words("Source: ", "原典：")
}

/// The meaning of the columns and verdicts.
pub(crate) fn legend() -> Words {
    words(
        "Numbers in brackets are 95 % intervals, n is the size of the sample. A claim is *confirmed* if the \
         intervals of all its numbers lie on its side of the bound, *not confirmed* if one lies on the \
         other side, else *undecided*. Numbers of the source are its own; all others were measured by the \
         command at the end of the page.",
        "角括弧内は95%区間、n は標本の大きさである。主張に関わる数値の区間がすべて基準の主張側にあれば\
         「確認された」、一つでも反対側にあれば「確認されなかった」、それ以外は「判定できない」とする。\
         「原典」の数値は原典に書かれたもの、ほかの数値はすべてページ末尾のコマンドが測定したものである。",
    )
}

/// The command that decides a claim.
pub(crate) fn decided_by() -> Words {
    words("Decided by `{command}`.", "判定するコマンド：`{command}`")
}

/// The origin of the page.
pub(crate) fn made_by() -> Words {
    words(
        "Made by `{command}`, komadai {version}.",
        "このページは `{command}`（komadai {version}）が作成した。",
    )
}
