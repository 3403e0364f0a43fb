//! A problem played in the terminal: the person gives checks, the solver defends.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use komadai::core::{Budget, Color, Language, Move, Position, Square};
use komadai::kifu::Notation;
use komadai::problems::defence::HintPiece;
use komadai::problems::play_out::{Ending, PlayOut, PlayOutError, PlayOutState};
use komadai::tsume::{DfPn, DfPnOptions, Goal};
use komadai_console::{bad_usage, interrupted, note, stdout, stop_on_interrupt};

use super::input::Problems;
use super::options::TsumeArgs;
use crate::board::Style;
use crate::dialogue::{Heard, Input, NoMove, board, named_after, read_move};

/// Plays the first problem of the input. The exit code tells whether it was solved.
pub(super) fn play(arguments: &TsumeArgs) -> anyhow::Result<ExitCode> {
    if arguments.reads_stdin() {
        return Err(bad_usage("`-`: standard input has the moves, expected a file or an SFEN"));
    }
    let stop = stop_on_interrupt()?;
    let mut problems = Problems::new(arguments.inputs()?);
    let problem = problems.next().context("no problem")?;
    if problems.next().is_some() {
        note!("{}: the first of several problems", problem.id);
    }
    let position = problem.position().map_err(anyhow::Error::msg)?;
    Session::new(arguments, &position, stop).run()
}

/// A problem in play.
struct Session {
    problem: PlayOut<DfPn>,
    language: Language,
    notation: Notation,
    style: Style,
    bottom: Color,
    input: Input,
    /// The number of hints on the current position.
    hints: u32,
    mistakes: u32,
}

/// The continuation after a line.
enum Next {
    Line,
    Solved,
    Leave,
}

impl Session {
    fn new(arguments: &TsumeArgs, position: &Position, stop: Arc<AtomicBool>) -> Self {
        let options = DfPnOptions {
            hash_mib: arguments.hash_mib,
            threads: arguments.threads.get(),
            goal: Goal::ShortestMate,
            ..DfPnOptions::default()
        };
        let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::nodes(arguments.nodes) };
        let language = arguments.language_of_play();
        Self {
            problem: PlayOut::new(position, DfPn::new(options), budget),
            language,
            notation: arguments.notation_in(language),
            style: language.choose(Style::Letters, Style::Kanji),
            bottom: position.side(),
            input: Input::open(stop),
            hints: 0,
            mistakes: 0,
        }
    }

    fn run(mut self) -> anyhow::Result<ExitCode> {
        self.show_board()?;
        match self.problem.state() {
            PlayOutState::Mate { plies, exact } => self.say(match (self.language, exact) {
                (Language::English, true) => {
                    format!("Mate in {plies}. Give check; `help` lists the commands.")
                }
                (Language::English, false) => format!(
                    "A mate of at most {plies} plies. Give check; `help` lists the commands."
                ),
                (Language::Japanese, true) => {
                    format!("{plies}手詰。王手をかけてください（「ヘルプ」でコマンド一覧）")
                }
                (Language::Japanese, false) => {
                    format!("{plies}手以内の詰み。王手をかけてください（「ヘルプ」でコマンド一覧）")
                }
            })?,
            PlayOutState::Undecided if self.input.is_stopped() => {
                return Err(interrupted("stopped"));
            }
            PlayOutState::Undecided => {
                self.say(self.language.choose(
                    "The solver finds no answer within --nodes.",
                    "--nodes の範囲では詰むかどうか分かりません",
                ))?;
                return Ok(ExitCode::FAILURE);
            }
            _ => {
                self.say(self.language.choose("There is no mate.", "不詰です"))?;
                return Ok(ExitCode::FAILURE);
            }
        }
        loop {
            if self.input.is_terminal {
                write!(stdout(), "> ")?;
                stdout().flush()?;
            }
            let line = match self.input.next(None) {
                Heard::Line(line) => line,
                Heard::Fault(fault) => {
                    self.say(fault)?;
                    continue;
                }
                Heard::End | Heard::Late => return self.leave(),
                Heard::Stopped => return Err(interrupted("stopped")),
            };
            match self.obey(&line)? {
                Next::Line => {}
                Next::Solved => return Ok(ExitCode::SUCCESS),
                Next::Leave => return self.leave(),
            }
        }
    }

    fn say(&self, text: impl Display) -> io::Result<()> {
        writeln!(stdout(), "{text}")
    }

    fn show_board(&self) -> io::Result<()> {
        write!(stdout(), "{}", board(self.problem.position(), self.style, self.bottom))
    }

    fn leave(&self) -> anyhow::Result<ExitCode> {
        if self.input.is_terminal {
            self.say("")?;
        }
        self.say(self.language.choose("Not solved.", "まだ解けていません"))?;
        Ok(ExitCode::FAILURE)
    }

    /// Carries out a command or a move.
    fn obey(&mut self, line: &str) -> anyhow::Result<Next> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" | "ヘルプ" => self.say(self.language.choose(
                "a move    7g7f, P-7f, P7f, P76, 7776FU, ７六歩\n\
                 hint      the piece to move, and at the second time the move\n\
                 undo      take your last move back\n\
                 solution  all moves of the mate\n\
                 moves, board, flip, quit",
                "指し手      ７六歩、76歩、同銀、7g7f、P-7f、7776FU\n\
                 ヒント      動かす駒、二度目は手\n\
                 待った      自分の最後の手を戻す\n\
                 解答        詰み手順\n\
                 棋譜、盤、反転、終了",
            ))?,
            "hint" | "ヒント" => self.hint()?,
            "solution" | "解答" => self.solution()?,
            "undo" | "待った" => self.undo()?,
            "moves" | "棋譜" => self.say(self.names_so_far().join(" "))?,
            "board" | "盤" => self.show_board()?,
            "flip" | "反転" => {
                self.bottom = !self.bottom;
                self.show_board()?;
            }
            "quit" | "exit" | "終了" => return Ok(Next::Leave),
            _ => return self.attack(line),
        }
        Ok(Next::Line)
    }

    /// Makes a move of the attacker, and the longest defence.
    fn attack(&mut self, text: &str) -> anyhow::Result<Next> {
        let position = self.problem.position();
        let m = match read_move(text, position) {
            Ok(m) => m,
            Err(no_move) => {
                self.refuse(text, &no_move)?;
                return Ok(Next::Line);
            }
        };
        let name = named_after(self.notation, position, &[m]).concat();
        let before = self.problem.state();
        match self.problem.play(m) {
            Ok(()) => {}
            Err(PlayOutError::NoCheck { .. }) => {
                self.say(match self.language {
                    Language::English => {
                        format!("{name} gives no check, and every move of the attacker has to.")
                    }
                    Language::Japanese => {
                        format!("{name}は王手ではありません。攻方は王手の連続で攻めます")
                    }
                })?;
                return Ok(Next::Line);
            }
            Err(error) => {
                self.say(error)?;
                return Ok(Next::Line);
            }
        }
        match self.problem.state() {
            PlayOutState::Over(Ending::Mated) => {
                self.say_solved(&name)?;
                return Ok(Next::Solved);
            }
            PlayOutState::Mate { plies, exact } => {
                self.hints = 0;
                self.defend(&name)?;
                if let PlayOutState::Mate { plies: wanted, exact: true } = before
                    && exact
                    && plies + 1 > wanted
                {
                    let more = plies + 1 - wanted;
                    self.say(match self.language {
                        Language::English => {
                            format!("It still mates, but {more} plies later than the shortest way.")
                        }
                        Language::Japanese => format!("詰みますが、最短より{more}手長くなります"),
                    })?;
                }
            }
            PlayOutState::NoMate => {
                let escape = self.name_of_answer();
                self.problem.undo();
                self.problem.undo();
                self.mistakes += 1;
                self.say(match self.language {
                    Language::English => format!("No mate any more after {name}: the defender escapes by {escape}. Try again."),
                    Language::Japanese => format!("{name}では詰みません：{escape}で逃れます。もう一度どうぞ"),
                })?;
            }
            PlayOutState::Over(_) => {
                self.problem.undo();
                self.mistakes += 1;
                self.say(match self.language {
                    Language::English => format!(
                        "{name} repeats the position for the fourth time by checks. Try again."
                    ),
                    Language::Japanese => format!("{name}は連続王手の千日手です。もう一度どうぞ"),
                })?;
            }
            _ => {
                self.problem.undo();
                self.say(match self.language {
                    Language::English => format!("The solver does not know whether {name} mates: --nodes is too small. It is taken back."),
                    Language::Japanese => format!("{name}で詰むかどうか分かりません（--nodes が足りません）。手を戻します"),
                })?;
            }
        }
        Ok(Next::Line)
    }

    fn refuse(&self, text: &str, no_move: &NoMove) -> io::Result<()> {
        let words = no_move.words(self.problem.position(), self.notation, self.language);
        self.say(format!("{text}: {words}"))
    }

    /// Makes the move of the defender, and shows the position.
    fn defend(&mut self, attack: &str) -> anyhow::Result<()> {
        let reply = self.name_of_answer();
        self.say(format!("{attack} {reply}"))?;
        self.show_board()?;
        Ok(())
    }

    /// Makes the solver's move for the side to move, and returns its name; empty if it has none.
    fn name_of_answer(&mut self) -> String {
        let before = self.problem.position().clone();
        let answer = self.problem.answer();
        answer.map_or_else(String::new, |m| named_after(self.notation, &before, &[m]).concat())
    }

    fn say_solved(&self, last: &str) -> io::Result<()> {
        let (moves, mistakes) = (self.problem.moves().len(), self.mistakes);
        let line = self.names_so_far().join(" ");
        self.say(match self.language {
            Language::English => {
                let plural = if mistakes == 1 { "" } else { "s" };
                let plies = if moves == 1 { "ply" } else { "plies" };
                format!(
                    "{last} mates: solved in {moves} {plies}, {mistakes} mistake{plural}.\n{line}"
                )
            }
            Language::Japanese => {
                format!("{last}まで{moves}手詰。正解です（間違い{mistakes}回）\n{line}")
            }
        })
    }

    /// Returns the names of the moves so far.
    fn names_so_far(&self) -> Vec<String> {
        let mut start = self.problem.position().clone();
        while start.undo_move().is_some() {}
        self.notation.names(&start, self.problem.moves())
    }

    fn undo(&mut self) -> io::Result<()> {
        self.hints = 0;
        // The defence, and the move before it.
        if self.problem.undo().is_none() {
            return self
                .say(self.language.choose("You have made no move yet.", "まだ指していません"));
        }
        self.problem.undo();
        self.show_board()
    }

    fn hint(&mut self) -> io::Result<()> {
        let Some(hint) = self.problem.hint() else {
            return self.say(self.language.choose("There is no hint.", "ヒントはありません"));
        };
        self.hints += 1;
        if self.hints > 1 {
            let name =
                named_after(self.notation, self.problem.position(), &[hint.first_move]).concat();
            return self.say(name);
        }
        let plies = hint.plies;
        let piece = match hint.piece() {
            HintPiece::InHand(kind) => self
                .language
                .choose(format!("a {kind:?} in hand"), format!("持駒の{}", kind.to_kanji())),
            HintPiece::OnBoard(square) => self.on_board(square),
        };
        self.say(match self.language {
            Language::English => format!("The mate in {plies} begins with {piece}."),
            Language::Japanese => format!("{plies}手詰、初手は{piece}"),
        })
    }

    fn on_board(&self, square: Square) -> String {
        let kind = self.problem.position().piece_on(square).map(|piece| piece.kind());
        match self.language {
            Language::English => format!(
                "the {} on {square}",
                kind.map_or(String::new(), |kind| format!("{kind:?}"))
            ),
            Language::Japanese => format!(
                "{}の{}",
                crate::dialogue::square(square),
                kind.map_or(String::new(), |kind| kind.to_kanji().to_string())
            ),
        }
    }

    /// Shows the moves of the mate with the longest defence.
    fn solution(&mut self) -> io::Result<()> {
        let position = self.problem.position().clone();
        let mut line: Vec<Move> = Vec::new();
        while let Some(m) = self.problem.answer() {
            line.push(m);
        }
        line.iter().for_each(|_| {
            self.problem.undo();
        });
        let names = named_after(self.notation, &position, &line).join(" ");
        self.say(names)
    }
}
