//! Arguments that several programs share.

pub(crate) mod duration;
pub(crate) mod engine;
pub(crate) mod faults;
pub(crate) mod game_sources;
pub(crate) mod openings;
pub(crate) mod page;
pub(crate) mod pixels;
pub(crate) mod position;
pub(crate) mod record;

/// Defines `Command`, the subcommands of a program, whose `run` gives the arguments of the chosen
/// one to its function. A subcommand is named once, because a list of names and a list of calls
/// would have to agree.
macro_rules! subcommands {
    ($result:ty: $($name:ident($arguments:ty) => $run:path,)*) => {
        #[derive(Debug, clap::Subcommand)]
        enum Command {
            $($name($arguments),)*
        }

        impl Command {
            fn run(&self) -> anyhow::Result<$result> {
                match self {
                    $(Self::$name(arguments) => $run(arguments),)*
                }
            }
        }
    };
}

pub(crate) use subcommands;
