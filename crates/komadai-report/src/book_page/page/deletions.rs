//! The section on pruning: moves that lose games, and deletions.

use std::io::{self, Write};

use komadai_base::text::grouped;
use komadai_book::games::{GameOutcome, PruneCandidate};
use komadai_book::store::Tombstone;

use super::html::{Day, Page, counted, shortened, write_board};
use crate::book_page::match_data::MatchData;
use crate::book_page::working_data::WorkingData;
use crate::text::Escaped;

/// The largest number of games listed for a move.
const MOST_GAMES: usize = 12;

pub(super) fn write(page: &Page<'_>, working: &WorkingData, out: &mut dyn Write) -> io::Result<()> {
    let deletions = &working.deletions;
    let candidates = working.matches.as_ref().filter(|matches| !matches.candidates.is_empty());
    if candidates.is_none() && deletions.latest.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section>\n<h2>Pruning</h2>")?;
    if let Some(matches) = candidates {
        write_candidates(page, matches, out)?;
    }
    if !deletions.latest.is_empty() {
        let (in_force, undone) = (deletions.in_force as u64, deletions.undone as u64);
        writeln!(out, "<h3>Deleted: {}; undone: {}</h3>", grouped(in_force), grouped(undone))?;
        write_tombstones(page, &deletions.latest, out)?;
    }
    writeln!(out, "</section>")
}

fn write_candidates(page: &Page<'_>, matches: &MatchData, out: &mut dyn Write) -> io::Result<()> {
    let (shown, all) = (matches.candidates.len(), matches.all_candidates);
    writeln!(out, "<h3>Moves that lose games: {}</h3>", grouped(all as u64))?;
    let which = if shown < all { format!(" These {shown} cost most.") } else { String::new() };
    writeln!(
        out,
        "<p>Results are those of the book’s side, which moves; positions are turned so that \
         this is Black.{which}</p>"
    )?;
    for candidate in &matches.candidates {
        write_candidate(page, candidate, out)?;
    }
    Ok(())
}

fn write_candidate(
    page: &Page<'_>,
    candidate: &PruneCandidate,
    out: &mut dyn Write,
) -> io::Result<()> {
    let name = page.names.of(&candidate.position, candidate.m);
    let against = candidate.opponent.as_ref().map_or_else(String::new, |opponent| {
        format!(" against {} (in all games {})", Escaped(&shortened(opponent)), candidate.all)
    });
    let others = match candidate.alternatives {
        0 => "no other move is known".to_owned(),
        1 => "one other move is known".to_owned(),
        count => format!("{count} other moves are known"),
    };
    let kept = candidate.hold.map_or_else(String::new, |hold| format!("; kept: {}", hold.name()));
    writeln!(
        out,
        "<details><summary>{name} at move {}: <b>{}</b>{against}, {}; {others}{kept}</summary>\n\
         <div class=\"boards\">",
        candidate.position.ply(),
        candidate.results,
        candidate.reason.name(),
    )?;
    let different = counted(candidate.distinct_games.into(), "different game");
    let caption = format!("{name}, in {different}");
    write_board(out, &candidate.position, None, &[candidate.m], &caption)?;
    // Lost games first: they are the reason for pruning.
    let mut games: Vec<_> = candidate.games.iter().collect();
    games.sort_by_key(|game| std::cmp::Reverse(game.outcome));
    writeln!(out, "<ul>")?;
    for game in games.iter().take(MOST_GAMES) {
        let word = match game.outcome {
            GameOutcome::Win => "won",
            GameOutcome::Draw => "drawn",
            GameOutcome::Loss => "lost",
        };
        let opponent = shortened(&game.opponent);
        writeln!(
            out,
            "<li>game {}, generation {}, {word} against {}</li>",
            game.number,
            game.generation,
            Escaped(&opponent)
        )?;
    }
    if games.len() > MOST_GAMES {
        writeln!(out, "<li>and {} more</li>", games.len() - MOST_GAMES)?;
    }
    writeln!(out, "</ul>\n</div>\n</details>")
}

fn write_tombstones(page: &Page<'_>, latest: &[Tombstone], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<div class=\"scroll\"><table>\n<thead><tr><th>number</th><th class=\"text\">what</th><th class=\"text\">why</th>\
         <th class=\"text\">games</th><th>generation</th><th>day</th><th>undone</th></tr></thead>\n<tbody>"
    )?;
    for tombstone in latest {
        let deletion = &tombstone.deletion;
        let what = match deletion.m {
            Some(m) => page.names.of(&deletion.position, m),
            None => "position".to_owned(),
        };
        let games: Vec<String> =
            deletion.games.iter().take(MOST_GAMES).map(ToString::to_string).collect();
        let more = if deletion.games.len() > MOST_GAMES { " …" } else { "" };
        let undone = match tombstone.undone {
            None => String::new(),
            Some(0) => "yes".to_owned(),
            Some(when) => Day(when).to_string(),
        };
        writeln!(
            out,
            "<tr><th>{}</th><td class=\"text\">{what} <code>{}</code></td><td class=\"text\">{}</td>\
             <td class=\"text\">{}{more}</td><td>{}</td><td class=\"day\">{}</td>\
             <td class=\"day\">{undone}</td></tr>",
            tombstone.id,
            Escaped(&deletion.position.to_string()),
            Escaped(&shortened(&deletion.reason)),
            games.join(" "),
            deletion.generation,
            Day(deletion.when),
        )?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}
