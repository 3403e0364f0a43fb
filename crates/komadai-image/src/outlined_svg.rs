//! Texts of a picture replaced by outlines.
//!
//! The style sheet of the picture decides about size, alignment and colour of a text. Its rules for
//! texts are written into each path, because the selectors of the sheet name text elements.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use resvg::usvg::roxmltree::{Document, Node};
use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};

use crate::error::ImageError;
use crate::outlines::{Outline, Outlines};

/// The font size of CSS without any rule, in pixels.
const USUAL_SIZE: f64 = 16.0;

/// Properties that the outlines replace, so that paths do not have them.
const OF_FONTS: [&str; 6] =
    ["font", "font-family", "font-size", "font-weight", "text-anchor", "stroke-width"];

/// Returns a picture without texts, which looks the same.
pub(crate) fn outlined(svg: &str, outlines: &Outlines) -> Result<String, ImageError> {
    let document =
        Document::parse(svg).map_err(|error| ImageError::BadSvg { reason: error.to_string() })?;
    let texts_of = |name| {
        let found =
            document.descendants().filter(move |node: &Node<'_, '_>| node.has_tag_name(name));
        found.collect::<Vec<_>>()
    };
    let svg_space = "http://www.w3.org/2000/svg";
    let mut sheet = StyleSheet::new();
    for style in texts_of((svg_space, "style")) {
        sheet.parse_more(style.text().unwrap_or_default());
    }
    let (mut picture, mut end, mut missing) = (String::new(), 0, BTreeSet::new());
    for text in texts_of((svg_space, "text")) {
        let range = text.range();
        picture += &svg[end..range.start];
        end = range.end;
        picture += &paths(text, &sheet, outlines, &mut missing);
    }
    if !missing.is_empty() {
        return Err(ImageError::NoOutline { characters: missing.into_iter().collect() });
    }
    Ok(picture + &svg[end..])
}

/// Returns the paths of one text; characters without an outline are added to `missing`.
fn paths(
    text: Node<'_, '_>,
    sheet: &StyleSheet<'_>,
    outlines: &Outlines,
    missing: &mut BTreeSet<char>,
) -> String {
    let style = declarations(text, sheet);
    let characters = text.text().unwrap_or_default().chars();
    let glyphs: Vec<Outline> = characters
        .filter_map(|c| {
            let outline = outlines.of(c);
            if outline.is_none() {
                missing.insert(c);
            }
            outline
        })
        .collect();
    let number = |name: &str| text.attribute(name).and_then(|value| value.parse().ok());
    let (x, y) = (number("x").unwrap_or(0.0), number("y").unwrap_or(0.0));
    let scale = font_size(&style) / 1_000.0;
    let width: f64 = scale * glyphs.iter().map(|glyph| glyph.width).sum::<f64>();
    let mut left = match style.get("text-anchor").copied() {
        Some("middle") => x - width / 2.0,
        Some("end") => x - width,
        _ => x,
    };
    let look = path_style(&style, scale);
    let mut paths = String::new();
    for glyph in glyphs {
        if !glyph.path.is_empty() {
            write!(
                paths,
                r#"<path style="{look}" transform="translate({left:.3} {y})scale({scale:.5})" d="{}"/>"#,
                glyph.path
            )
            .expect("a string takes every text");
        }
        left += scale * glyph.width;
    }
    paths
}

/// Returns the declarations for an element: stronger rules are later in the sheet.
fn declarations<'s>(element: Node<'_, '_>, sheet: &StyleSheet<'s>) -> BTreeMap<&'s str, &'s str> {
    let rules = sheet.rules.iter().filter(|rule| rule.selector.matches(&XmlElement(element)));
    let all = rules.flat_map(|rule| &rule.declarations);
    all.map(|declaration| (declaration.name, declaration.value)).collect()
}

/// Returns the font size in pixels.
fn font_size(style: &BTreeMap<&str, &str>) -> f64 {
    let pixels = |text: &str| text.strip_suffix("px").and_then(|size| size.parse::<f64>().ok());
    let given = style.get("font-size").and_then(|size| pixels(size));
    // The short form has the size between weight and family.
    let short = || style.get("font").and_then(|font| font.split(' ').find_map(pixels));
    given.or_else(short).unwrap_or(USUAL_SIZE)
}

/// Returns the style of the paths. Rules for paths do not count for texts, and lengths are those
/// before scaling.
fn path_style(style: &BTreeMap<&str, &str>, scale: f64) -> String {
    let stroke_width = style.get("stroke-width").and_then(|width| width.parse::<f64>().ok());
    let stroke_width = stroke_width.unwrap_or(1.0) / scale;
    let mut text = format!("stroke:none;stroke-width:{stroke_width:.2}");
    for (name, value) in style.iter().filter(|(name, _)| !OF_FONTS.contains(name)) {
        write!(text, ";{name}:{}", value.replace('"', "'")).expect("a string takes every text");
    }
    text
}

/// An element for the selectors of the style sheet.
struct XmlElement<'a, 'input>(Node<'a, 'input>);

impl Element for XmlElement<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(XmlElement)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(XmlElement)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.prev_sibling_element().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(content: &str) -> Result<String, ImageError> {
        let sheet = ".a text{font-size:20px;fill:red;text-anchor:middle}.a .b{fill:blue}\
                     text{font:10px serif;stroke-width:2}path{stroke:green}";
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>{sheet}</style>\
             <g class=\"a\">{content}</g></svg>"
        );
        outlined(&svg, &Outlines::default())
    }

    #[test]
    fn texts_become_paths_in_their_style() {
        let picture =
            changed("<text x=\"7\" y=\"5\">  1</text><text class=\"b\">歩</text>").unwrap();
        assert!(!picture.contains("<text"), "{picture}");
        assert_eq!(picture.matches("<path").count(), 2);
        for part in ["scale(0.02000)", "stroke:none;stroke-width:100.00;fill:red", "fill:blue"] {
            assert!(picture.contains(part), "no {part} in {picture}");
        }
        let width = Outlines::default().of('歩').unwrap().width;
        assert!(picture.contains(&format!("translate({:.3} 0)", -width / 100.0)), "{picture}");
    }

    #[test]
    fn markup_in_texts_stays_text() {
        let picture = changed("<text>&lt;&amp;&gt;</text>").unwrap();
        assert_eq!(picture.matches("<path").count(), 3);
        assert_eq!(changed("").unwrap().matches("<path").count(), 0);
    }

    #[test]
    fn characters_without_an_outline_are_named_once() {
        let error = changed("<text>鬱a鬱</text><text>麤</text>").unwrap_err();
        assert!(
            matches!(&error, ImageError::NoOutline { characters } if characters == "鬱麤"),
            "{error}"
        );
        for bad in ["<text>", "&", "</g>"] {
            assert!(matches!(changed(bad), Err(ImageError::BadSvg { .. })), "{bad}");
        }
    }
}
