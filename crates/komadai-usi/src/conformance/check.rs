//! The checks of a conformance report, with the rules behind them.

use komadai_core::Language;

/// A check of an engine.
///
/// # Examples
///
/// ```
/// use komadai_core::Language;
/// use komadai_usi::conformance::Check;
///
/// assert_eq!(Check::OneAnswer.id(), "one-answer");
/// assert_eq!(Check::OneAnswer.rule(Language::Japanese), "go 1回につき返答はちょうど1回");
/// assert!(Check::ALL.iter().all(|check| !check.source().is_empty()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// The program starts.
    Launch,
    /// `usi` is answered by `usiok`.
    UsiAnswer,
    /// Name and author come before `usiok`.
    Identity,
    /// Nothing but messages of the protocol comes before `usiok`.
    ProtocolLines,
    /// The declarations of options can be read.
    OptionSyntax,
    /// No option is declared twice.
    OptionNames,
    /// The defaults of numbers lie in their ranges.
    OptionRanges,
    /// The defaults of choices are among them.
    OptionChoices,
    /// Names and defaults of options contain no blanks.
    OptionBlanks,
    /// `isready` is answered by `readyok`.
    ReadyAnswer,
    /// The second `isready` is answered as well.
    ReadyAgain,
    /// The second `usi` is answered as well.
    UsiAgain,
    /// Options of each kind accept their defaults.
    OptionKinds,
    /// An option that nobody declared is ignored.
    OptionUnknown,
    /// Values that are none are survived.
    OptionValues,
    /// `USI_Hash` and `USI_Ponder` are accepted even if they are not declared.
    OptionReserved,
    /// The start position with moves is searched.
    PositionStart,
    /// A position in SFEN with moves is searched.
    PositionSfen,
    /// A game of hundreds of moves is searched.
    PositionLongGame,
    /// A list with an illegal move is survived.
    PositionIllegal,
    /// A position with one king is survived.
    PositionOneKing,
    /// `go nodes` ends.
    GoNodes,
    /// `go depth` ends.
    GoDepth,
    /// `go movetime` keeps its time.
    GoMoveTime,
    /// `go byoyomi` keeps its time.
    GoByoyomi,
    /// `go btime wtime` keeps its time.
    GoClock,
    /// `go btime wtime binc winc` keeps its time.
    GoIncrement,
    /// A clock without any time is answered at once.
    GoZeroTime,
    /// `go infinite` is answered after `stop`, not before.
    GoInfinite,
    /// `go ponder` is answered after `ponderhit`, not before.
    GoPonderHit,
    /// `go ponder` is answered after `stop`, not before.
    GoPonderStop,
    /// `go mate` is answered by `checkmate`.
    GoMate,
    /// `go mate` finds no mate where there is none.
    GoNoMate,
    /// `go searchmoves` plays one of the moves.
    GoSearchMoves,
    /// Each `go` has exactly one answer.
    OneAnswer,
    /// Nothing is answered without a `go`.
    UnaskedAnswer,
    /// The moves played are legal.
    LegalMove,
    /// The moves to ponder on are legal.
    LegalPonder,
    /// The variations are legal.
    LegalLine,
    /// Only lost positions are resigned.
    Resignation,
    /// Only won positions are declared won.
    Declaration,
    /// A position without legal moves is resigned.
    NoLegalMove,
    /// The reports of a search can be read.
    InfoSyntax,
    /// A search reports a value before its answer.
    InfoScore,
    /// `hashfull` is at most 1000.
    HashFull,
    /// The lines of a search for several moves are numbered from 1 without gaps.
    MultiPv,
    /// Mates are good for the side to move if it mates, bad if it is mated.
    MateSign,
    /// `gameover` is survived, also after `stop`.
    GameOver,
    /// `stop` without a search is ignored.
    StopIdle,
    /// Unknown commands are ignored.
    UnknownCommand,
    /// Empty lines are ignored.
    EmptyLine,
    /// Lines may end in CR LF.
    CarriageReturn,
    /// Words may be separated by several blanks.
    Blanks,
    /// A line of 64 KiB is survived.
    LongLine,
    /// The process does not end by itself.
    Alive,
    /// `quit` ends the process in time.
    Quit,
    /// `quit` ends the process during a search.
    QuitSearching,
    /// The end of the input ends the process.
    EndOfInput,
    /// The end of the input ends the process during a search.
    EndOfInputSearching,
    /// No process is left behind.
    NoChildren,
    /// The same search gives the same answer.
    Determinism,
}

/// Source: the definition of USI by the author of Shogidokoro.
const SHOGIDOKORO: &str = "USI, Shogidokoro (shogidokoro.starfree.jp/usi.html)";
/// Source: the first draft of USI by Tord Romstad, which states what it takes over from UCI.
const DRAFT: &str = "USI, first draft (hgm.nubati.net/usi.html)";
/// Source: the behaviour of a GUI that is in wide use.
const SHOGIHOME: &str = "ShogiHome (src/background/usi/engine.ts)";
/// Source: extensions of YaneuraOu in general use.
const YANEURAOU: &str = "YaneuraOu (wiki, USI extensions)";

/// Name, source and rule in English and Japanese.
type Entry = (&'static str, &'static str, &'static str, &'static str);

impl Check {
    /// All checks, in the order of a report.
    pub const ALL: [Self; 61] = [
        Self::Launch,
        Self::UsiAnswer,
        Self::Identity,
        Self::ProtocolLines,
        Self::OptionSyntax,
        Self::OptionNames,
        Self::OptionRanges,
        Self::OptionChoices,
        Self::OptionBlanks,
        Self::ReadyAnswer,
        Self::ReadyAgain,
        Self::UsiAgain,
        Self::OptionKinds,
        Self::OptionUnknown,
        Self::OptionValues,
        Self::OptionReserved,
        Self::PositionStart,
        Self::PositionSfen,
        Self::PositionLongGame,
        Self::PositionIllegal,
        Self::PositionOneKing,
        Self::GoNodes,
        Self::GoDepth,
        Self::GoMoveTime,
        Self::GoByoyomi,
        Self::GoClock,
        Self::GoIncrement,
        Self::GoZeroTime,
        Self::GoInfinite,
        Self::GoPonderHit,
        Self::GoPonderStop,
        Self::GoMate,
        Self::GoNoMate,
        Self::GoSearchMoves,
        Self::OneAnswer,
        Self::UnaskedAnswer,
        Self::LegalMove,
        Self::LegalPonder,
        Self::LegalLine,
        Self::Resignation,
        Self::Declaration,
        Self::NoLegalMove,
        Self::InfoSyntax,
        Self::InfoScore,
        Self::HashFull,
        Self::MultiPv,
        Self::MateSign,
        Self::GameOver,
        Self::StopIdle,
        Self::UnknownCommand,
        Self::EmptyLine,
        Self::CarriageReturn,
        Self::Blanks,
        Self::LongLine,
        Self::Alive,
        Self::Quit,
        Self::QuitSearching,
        Self::EndOfInput,
        Self::EndOfInputSearching,
        Self::NoChildren,
        Self::Determinism,
    ];

    /// The name of the check in reports, which does not change.
    pub fn id(self) -> &'static str {
        self.entry().0
    }

    /// The place where the rule is stated.
    pub fn source(self) -> &'static str {
        self.entry().1
    }

    /// The rule: what the check expects.
    pub fn rule(self, language: Language) -> &'static str {
        let (_, _, english, japanese) = self.entry();
        language.choose(english, japanese)
    }

    fn entry(self) -> Entry {
        match self {
            Self::Launch => ("launch", SHOGIDOKORO, "the program starts", "プログラムが起動する"),
            Self::UsiAnswer => (
                "usi-answer",
                SHOGIDOKORO,
                "usiok answers usi before anything heavy is loaded",
                "重い初期化の前に usi に usiok を返す",
            ),
            Self::Identity => (
                "identity",
                SHOGIDOKORO,
                "id name and id author come before usiok",
                "usiok の前に id name と id author を送る",
            ),
            Self::ProtocolLines => (
                "protocol-lines",
                DRAFT,
                "only id, option, info and empty lines come before usiok",
                "usiok の前は id・option・info・空行だけ",
            ),
            Self::OptionSyntax => (
                "option-syntax",
                SHOGIDOKORO,
                "option name N type T, with default, min and max of a spin, default of a check, var of a combo",
                "option name N type T、spin は default・min・max、check は default、combo は var を持つ",
            ),
            Self::OptionNames => (
                "option-names",
                SHOGIDOKORO,
                "no two options have the same name, upper and lower case apart",
                "同じ名前のオプションはない（大文字・小文字の違いを除く）",
            ),
            Self::OptionRanges => (
                "option-ranges",
                DRAFT,
                "the default of a spin lies between min and max",
                "spin の default は min 以上 max 以下",
            ),
            Self::OptionChoices => (
                "option-choices",
                DRAFT,
                "the default of a combo is one of its var",
                "combo の default は var のどれか",
            ),
            Self::OptionBlanks => (
                "option-blanks",
                SHOGIHOME,
                "names and default texts without blanks: ShogiHome splits the line at them",
                "名前と既定値に空白がない（ShogiHome は空白で分割する）",
            ),
            Self::ReadyAnswer => (
                "ready-answer",
                SHOGIDOKORO,
                "readyok answers isready",
                "isready に readyok を返す",
            ),
            Self::ReadyAgain => (
                "ready-again",
                SHOGIDOKORO,
                "isready comes before every game, and readyok answers each",
                "isready は対局ごとに届き、そのつど readyok を返す",
            ),
            Self::UsiAgain => (
                "usi-again",
                DRAFT,
                "a second usi is answered by usiok",
                "2度目の usi にも usiok を返す",
            ),
            Self::OptionKinds => (
                "option-kinds",
                SHOGIDOKORO,
                "each option accepts its default; buttons are not pressed",
                "各オプションが既定値を受け付ける（button は押さない）",
            ),
            Self::OptionUnknown => (
                "option-unknown",
                DRAFT,
                "an unknown option is ignored, with info string at most",
                "知らないオプションは無視する（info string は可）",
            ),
            Self::OptionValues => (
                "option-values",
                DRAFT,
                "numbers out of range, words that are no numbers, and empty values are survived",
                "範囲外の数、数でない語、空の値でも動き続ける",
            ),
            Self::OptionReserved => (
                "option-reserved",
                SHOGIHOME,
                "USI_Hash and USI_Ponder are accepted even if they are not declared",
                "宣言がなくても USI_Hash と USI_Ponder を受け付ける",
            ),
            Self::PositionStart => (
                "position-startpos",
                SHOGIDOKORO,
                "position startpos moves … is searched",
                "position startpos moves … を探索する",
            ),
            Self::PositionSfen => (
                "position-sfen",
                SHOGIDOKORO,
                "position sfen … moves … is searched",
                "position sfen … moves … を探索する",
            ),
            Self::PositionLongGame => (
                "position-long-game",
                SHOGIDOKORO,
                "all moves from the start of the game are sent; 500 and more are searched",
                "開始局面からの全指し手が届き、500手を超えても探索する",
            ),
            Self::PositionIllegal => (
                "position-illegal",
                YANEURAOU,
                "a list with an illegal move is survived",
                "非合法手を含む指し手列でも動き続ける",
            ),
            Self::PositionOneKing => (
                "position-one-king",
                SHOGIDOKORO,
                "a tsume position without the attacker's king is survived",
                "攻め方の玉がない詰将棋の局面でも動き続ける",
            ),
            Self::GoNodes => (
                "go-nodes",
                DRAFT,
                "go nodes N ends after about N nodes",
                "go nodes N は約Nノードで終わる",
            ),
            Self::GoDepth => (
                "go-depth",
                DRAFT,
                "go depth N ends after that depth",
                "go depth N はその深さで終わる",
            ),
            Self::GoMoveTime => (
                "go-movetime",
                DRAFT,
                "go movetime N ends in time",
                "go movetime N は時間内に終わる",
            ),
            Self::GoByoyomi => (
                "go-byoyomi",
                SHOGIDOKORO,
                "go btime 0 wtime 0 byoyomi N is answered in time",
                "go btime 0 wtime 0 byoyomi N に時間内に答える",
            ),
            Self::GoClock => (
                "go-clock",
                SHOGIDOKORO,
                "go btime N wtime N is answered in time",
                "go btime N wtime N に時間内に答える",
            ),
            Self::GoIncrement => (
                "go-increment",
                SHOGIDOKORO,
                "go btime N wtime N binc N winc N is answered in time",
                "go btime N wtime N binc N winc N に時間内に答える",
            ),
            Self::GoZeroTime => (
                "go-zero-time",
                SHOGIHOME,
                "a clock without any time is answered at once",
                "持ち時間が0なら、すぐに答える",
            ),
            Self::GoInfinite => (
                "go-infinite",
                SHOGIDOKORO,
                "go infinite is answered after stop, not before",
                "go infinite には stop の後に答え、その前には答えない",
            ),
            Self::GoPonderHit => (
                "go-ponderhit",
                SHOGIDOKORO,
                "go ponder is answered after ponderhit, not before",
                "go ponder には ponderhit の後に答え、その前には答えない",
            ),
            Self::GoPonderStop => (
                "go-ponder-stop",
                SHOGIDOKORO,
                "go ponder is answered after stop, not before",
                "go ponder には stop の後に答え、その前には答えない",
            ),
            Self::GoMate => (
                "go-mate",
                SHOGIDOKORO,
                "go mate is answered by checkmate with a legal line that ends in mate, timeout or notimplemented",
                "go mate には checkmate で、詰みに至る合法手順か timeout・notimplemented を返す",
            ),
            Self::GoNoMate => (
                "go-mate-none",
                SHOGIDOKORO,
                "without a mate, go mate is answered by checkmate nomate, timeout or notimplemented",
                "詰みがなければ checkmate nomate・timeout・notimplemented のどれか",
            ),
            Self::GoSearchMoves => (
                "go-searchmoves",
                DRAFT,
                "go searchmoves … plays one of the moves",
                "go searchmoves … はその中の手を指す",
            ),
            Self::OneAnswer => (
                "one-answer",
                SHOGIDOKORO,
                "exactly one answer for each go",
                "go 1回につき返答はちょうど1回",
            ),
            Self::UnaskedAnswer => (
                "unasked-answer",
                SHOGIDOKORO,
                "no bestmove and no checkmate without a go",
                "go がなければ bestmove も checkmate も送らない",
            ),
            Self::LegalMove => {
                ("legal-move", SHOGIDOKORO, "bestmove is a legal move", "bestmove は合法手")
            }
            Self::LegalPonder => (
                "legal-ponder",
                SHOGIHOME,
                "the ponder move is a legal reply",
                "ponder の手は合法な応手",
            ),
            Self::LegalLine => (
                "legal-pv",
                SHOGIDOKORO,
                "every move of pv is legal in its order",
                "pv の各手は順に合法",
            ),
            Self::Resignation => (
                "resign",
                SHOGIDOKORO,
                "bestmove resign only where the game is lost",
                "bestmove resign は負けの局面だけ",
            ),
            Self::Declaration => (
                "win",
                SHOGIDOKORO,
                "bestmove win only where the declaration is valid",
                "bestmove win は入玉宣言が成立する局面だけ",
            ),
            Self::NoLegalMove => (
                "no-legal-move",
                SHOGIDOKORO,
                "bestmove resign without a legal move",
                "合法手がなければ bestmove resign",
            ),
            Self::InfoSyntax => (
                "info-syntax",
                SHOGIDOKORO,
                "each field of info has its value, and pv or string comes last",
                "info の各項目に値があり、pv か string が最後に来る",
            ),
            Self::InfoScore => (
                "info-score",
                SHOGIDOKORO,
                "a search reports score and pv before bestmove",
                "bestmove の前に score と pv を報告する",
            ),
            Self::HashFull => {
                ("info-hashfull", SHOGIDOKORO, "hashfull is 0 to 1000", "hashfull は 0 から 1000")
            }
            Self::MultiPv => (
                "info-multipv",
                SHOGIDOKORO,
                "the lines of MultiPV are numbered from 1 without gaps, no more than asked or legal",
                "MultiPV の行は1から順に抜けなく、指定数と合法手数を超えない",
            ),
            Self::MateSign => (
                "info-mate",
                SHOGIDOKORO,
                "score mate is positive if the side to move mates, negative if it is mated",
                "score mate は手番側が詰ませば正、詰まされれば負",
            ),
            Self::GameOver => (
                "gameover",
                SHOGIDOKORO,
                "after gameover, also one that follows stop at once, isready is answered",
                "gameover の後（stop の直後でも）isready に答える",
            ),
            Self::StopIdle => (
                "stop-idle",
                DRAFT,
                "stop without a search has no answer",
                "探索していないときの stop には答えない",
            ),
            Self::UnknownCommand => (
                "unknown-command",
                DRAFT,
                "an unknown command is ignored, with info string at most",
                "知らないコマンドは無視する（info string は可）",
            ),
            Self::EmptyLine => {
                ("empty-line", YANEURAOU, "an empty line is ignored", "空行は無視する")
            }
            Self::CarriageReturn => {
                ("carriage-return", DRAFT, "lines may end in CR LF", "行末が CR LF でもよい")
            }
            Self::Blanks => (
                "blanks",
                DRAFT,
                "words may be separated by several blanks",
                "語の間に空白がいくつあってもよい",
            ),
            Self::LongLine => {
                ("long-line", DRAFT, "a line of 64 KiB is survived", "64 KiB の行でも動き続ける")
            }
            Self::Alive => (
                "alive",
                SHOGIDOKORO,
                "the process ends at quit or with its input, not by itself",
                "quit か入力の終わりまでプロセスは終わらない",
            ),
            Self::Quit => ("quit", SHOGIDOKORO, "quit ends the process", "quit でプロセスが終わる"),
            Self::QuitSearching => (
                "quit-searching",
                SHOGIDOKORO,
                "quit ends the process during a search",
                "探索中の quit でもプロセスが終わる",
            ),
            Self::EndOfInput => (
                "end-of-input",
                YANEURAOU,
                "the end of the input ends the process",
                "入力が閉じるとプロセスが終わる",
            ),
            Self::EndOfInputSearching => (
                "end-of-input-searching",
                YANEURAOU,
                "the end of the input ends the process during a search",
                "探索中に入力が閉じてもプロセスが終わる",
            ),
            Self::NoChildren => (
                "no-children",
                SHOGIHOME,
                "the process leaves no process behind",
                "終了後にプロセスを残さない",
            ),
            Self::Determinism => (
                "determinism",
                DRAFT,
                "the same nodes on one thread give the same answer",
                "1スレッドで同じノード数なら同じ答え",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn checks_have_names_of_their_own_and_stand_in_order() {
        let names: BTreeSet<_> = Check::ALL.iter().map(|check| check.id()).collect();
        assert_eq!(names.len(), Check::ALL.len());
        assert!(Check::ALL.iter().enumerate().all(|(at, check)| *check as usize == at));
        assert_eq!(Check::ALL.last(), Some(&Check::Determinism));
    }
}
