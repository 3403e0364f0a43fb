//! A check that a page is well formed: all elements are closed in order, and all texts are escaped.

/// Elements without an end tag.
const VOID: [&str; 4] = ["meta", "br", "input", "!doctype"];

/// Elements whose texts are no markup.
const RAW: [&str; 2] = ["style", "script"];

/// Checks a page, and returns the number of its elements by name.
pub(crate) struct Markup {
    pub(crate) elements: Vec<String>,
}

impl Markup {
    pub(crate) fn check(page: &str) -> Result<Self, String> {
        let (mut open, mut elements) = (Vec::new(), Vec::new());
        let mut rest = page;
        while let Some(start) = rest.find('<') {
            check_text(&rest[..start])?;
            let end = end_of_tag(&rest[start..]).ok_or("a tag does not end")?;
            let tag = &rest[start + 1..start + end];
            rest = &rest[start + end + 1..];
            if let Some(name) = tag.strip_prefix('/') {
                let last = open.pop();
                if last.as_deref() != Some(name) {
                    return Err(format!("</{name}> closes {last:?}"));
                }
                continue;
            }
            let name = tag.split([' ', '\n', '/']).next().unwrap_or_default().to_owned();
            if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!') {
                return Err(format!("<{tag}> has no name"));
            }
            check_attributes(tag)?;
            elements.push(name.clone());
            if RAW.contains(&name.as_str()) {
                let end = format!("</{name}>");
                rest = &rest[rest.find(&end).ok_or(format!("a {name} does not end"))?..];
            }
            if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
                open.push(name);
            }
        }
        check_text(rest)?;
        if open.is_empty() { Ok(Self { elements }) } else { Err(format!("{open:?} stay open")) }
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.elements.iter().filter(|element| *element == name).count()
    }
}

/// The place of the `>` that is not within quotes.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (at, c) in tag.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '>' if !is_quoted => return Some(at),
            _ => {}
        }
    }
    None
}

fn check_attributes(tag: &str) -> Result<(), String> {
    for (at, text) in tag.split('"').enumerate() {
        match at % 2 {
            0 if text.contains('\'') => return Err(format!("<{tag}> has other quotes")),
            0 => {}
            _ => check_text(text)?,
        }
    }
    match tag.matches('"').count() % 2 {
        0 => Ok(()),
        _ => Err(format!("<{tag}> has a quote too many")),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    for (at, _) in text.match_indices('&') {
        let end = text[at..].find(';').filter(|&end| end <= 7);
        if end.is_none() {
            let text: String = text[at..].chars().take(20).collect();
            return Err(format!("{text:?} is not escaped"));
        }
    }
    match text.contains('>') {
        false => Ok(()),
        true => Err(format!("{text:?} has a > that is not escaped")),
    }
}

#[test]
fn the_check_can_fail() {
    let is_fine = |page: &str| Markup::check(page).is_ok();
    assert!(is_fine(
        "<!doctype html><p a=\"b &gt; c\">1 &lt; 2<br></p><svg><path d=\"M0\"/></svg>"
    ));
    for wrong in
        ["<p>", "<p></b></p>", "<p>a & b</p>", "<p>a > b</p>", "</p>", "<p a=\"b></p>", "<1>"]
    {
        assert!(!is_fine(wrong), "{wrong}");
    }
}
