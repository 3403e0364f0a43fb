//! The rule of a match for declaring a win, and whether its players keep it.

use std::sync::atomic::{AtomicBool, Ordering};

use komadai::matches::UsiContestant;
use komadai::movegen::DeclarationRule;
use komadai_base::text::printable;
use komadai_console::note;

use super::options::MatchArgs;
use crate::arguments::engine::{DECLARATION, Engine, all_options};

/// The rule of a match for declaring a win.
#[derive(Debug)]
pub(super) struct Declaration {
    /// The rule.
    pub(super) rule: DeclarationRule,
    /// The rules that the options of the players state, in the words of the options.
    stated: [Option<String>; 2],
    /// True if no warning about a player is due: it has been given, or nobody wants it.
    is_told: [AtomicBool; 2],
}

impl Declaration {
    /// Returns the rule that the command line states, or else the one that the options of both
    /// players state.
    pub(super) fn new(options: &MatchArgs) -> anyhow::Result<Self> {
        let stated = [
            stated(&all_options(&options.first, &options.option_first)?),
            stated(&all_options(&options.second, &options.option_second)?),
        ];
        let by_players = match &stated {
            [Some(first), Some(second)] if first.eq_ignore_ascii_case(second) => rule_named(first),
            _ => None,
        };
        let rule = options.declaration.or(by_players).unwrap_or_default();
        let is_told = [options.quiet; 2].map(AtomicBool::new);
        Ok(Self { rule, stated, is_told })
    }

    /// Returns the engines with the rule of the match. An option that a player has of its own is
    /// kept.
    pub(super) fn inform(&self, mut engines: [Engine; 2]) -> [Engine; 2] {
        for (engine, stated) in engines.iter_mut().zip(&self.stated) {
            if stated.is_none() {
                engine.set_declaration(self.rule);
            }
        }
        engines
    }

    /// Returns a warning for each player whose options state another rule.
    pub(super) fn warnings(&self, names: &[String; 2]) -> Vec<String> {
        let warning = |(name, stated): (&String, &Option<String>)| {
            let stated = stated.as_ref().filter(|stated| rule_named(stated) != Some(self.rule))?;
            Some(format!(
                "warning: {name} declares wins by {stated}, but the rule of this match is {} (--declaration)",
                self.rule
            ))
        };
        names.iter().zip(&self.stated).filter_map(warning).collect()
    }

    /// Says once if an engine that has started cannot be told the rule.
    pub(super) fn check(&self, player: usize, name: &str, engine: &UsiContestant) {
        let Some(process) = engine.process().filter(|_| self.stated[player].is_none()) else {
            return;
        };
        let has_option = process.options().iter().any(|option| option.is_named(DECLARATION));
        // An engine without the option most probably keeps the most common rule, if it declares at
        // all.
        let is_fine = if has_option {
            process.has_value(DECLARATION, self.rule.name())
        } else {
            self.rule == DeclarationRule::default()
        };
        if !is_fine && !self.is_told[player].swap(true, Ordering::Relaxed) {
            let lacks = if has_option { "this value of" } else { "the option" };
            note!(
                "warning: {} does not have {lacks} {DECLARATION}, and may declare wins by another rule than {}",
                printable(name),
                self.rule
            );
        }
    }
}

/// Returns the last rule among options.
fn stated(options: &[(String, String)]) -> Option<String> {
    let stated = options.iter().rev().find(|(name, _)| name.eq_ignore_ascii_case(DECLARATION));
    stated.map(|(_, value)| value.clone())
}

/// Returns the rule of this name, as the value of an option.
fn rule_named(name: &str) -> Option<DeclarationRule> {
    DeclarationRule::ALL.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: MatchArgs,
    }

    fn declaration(arguments: &str) -> anyhow::Result<Declaration> {
        let words = arguments.split_ascii_whitespace();
        Declaration::new(&Line::try_parse_from(["match"].into_iter().chain(words))?.options)
    }

    #[test]
    fn the_rule_is_the_stated_one_or_that_of_both_players() {
        let h = "EnteringKingRule=CSARule27H";
        for (arguments, rule, warnings) in [
            ("--first a --second b".to_owned(), DeclarationRule::Csa27, 0),
            ("--first a --second b --declaration TryRule".to_owned(), DeclarationRule::Try, 0),
            (
                "--first a --second b --declaration csarule24h".to_owned(),
                DeclarationRule::Csa24Handicap,
                0,
            ),
            ("--first a --second b --declaration none".to_owned(), DeclarationRule::None, 0),
            (
                format!("--first a --second b --option-first {h} --option-second {h}"),
                DeclarationRule::Csa27Handicap,
                0,
            ),
            (
                format!("--first komadai:{h} --second b --option-second {h}"),
                DeclarationRule::Csa27Handicap,
                0,
            ),
            (format!("--first komadai:{h} --second komadai"), DeclarationRule::Csa27, 1),
            (format!("--first a --second b --option-second {h}"), DeclarationRule::Csa27, 1),
            (
                format!("--first komadai:{h} --second komadai:EnteringKingRule=TryRule"),
                DeclarationRule::Csa27,
                2,
            ),
            (
                format!("--first komadai:{h} --second komadai --declaration CSARule27H"),
                DeclarationRule::Csa27Handicap,
                0,
            ),
            (
                format!("--first komadai:{h} --second komadai --declaration TryRule"),
                DeclarationRule::Try,
                1,
            ),
            (
                "--first a --second b --option-first enteringkingrule=Odd".to_owned(),
                DeclarationRule::Csa27,
                1,
            ),
        ] {
            let declaration = declaration(&arguments).unwrap();
            assert_eq!(declaration.rule, rule, "{arguments}");
            let names = ["A", "B"].map(str::to_owned);
            assert_eq!(declaration.warnings(&names).len(), warnings, "{arguments}");
        }
        for rule in ["CSARule28", "", "27"] {
            assert!(declaration(&format!("--first a --second b --declaration={rule}")).is_err());
        }
    }

    #[test]
    fn players_have_the_rule_unless_they_state_one() {
        let declaration = declaration(
            "--first komadai --second komadai:EnteringKingRule=TryRule --declaration CSARule24",
        );
        let engine = |command| Engine::new(command, &[], std::time::Duration::ZERO).unwrap();
        let engines = [engine("komadai"), engine("komadai:EnteringKingRule=TryRule")];
        let engines = declaration.unwrap().inform(engines);
        let rules = engines.map(|engine| match engine {
            Engine::Embedded(settings) => settings.declaration,
            Engine::Process(_) => panic!("the embedded player is no process"),
        });
        assert_eq!(rules, [DeclarationRule::Csa24, DeclarationRule::Try]);
    }
}
