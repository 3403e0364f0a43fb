//! The replacement of marked sections in a document.

use anyhow::Context as _;

/// Returns the document with the section between `<!-- tsume_study NAME -->` and `<!-- end -->`
/// replaced. A document without that section is returned as it is.
pub(crate) fn replace(document: &str, name: &str, section: &str) -> anyhow::Result<String> {
    let start = format!("<!-- tsume_study {name} -->\n");
    let Some((before, rest)) = document.split_once(&start) else { return Ok(document.to_owned()) };
    let (_, after) =
        rest.split_once("<!-- end -->").with_context(|| format!("section {name} has no end"))?;
    Ok(format!("{before}{start}\n{}\n\n<!-- end -->{after}", section.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_section_changes() {
        let document = "a\n<!-- tsume_study x -->\nold\n<!-- end -->\nb\n<!-- tsume_study y -->\n";
        let new = replace(document, "x", "new\n").unwrap();
        let expected =
            "a\n<!-- tsume_study x -->\n\nnew\n\n<!-- end -->\nb\n<!-- tsume_study y -->\n";
        assert_eq!(new, expected);
        assert_eq!(replace(&new, "x", "new").unwrap(), new);
        assert_eq!(replace(document, "z", "new").unwrap(), document);
        assert!(replace(document, "y", "new").is_err());
    }
}
