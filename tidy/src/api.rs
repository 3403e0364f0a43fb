//! The public interface of a library as declarations without bodies, documentation and private
//! parts.

use std::fmt::Write as _;
use std::path::Path;

use quote::ToTokens as _;
use syn::visit_mut::VisitMut;

use crate::source::{files_below, is_for_tests};

/// The public declarations of a crate, file by file.
///
/// The compiler warns of a `pub` item that other crates cannot reach (`unreachable_pub`), and
/// warnings are errors here, so that all that the sources declare `pub` is the interface. What
/// macros build is not listed, except for `bitflags!`.
///
/// # Panics
///
/// If a file cannot be read or is no Rust.
pub fn listing(sources: &Path) -> String {
    let mut text = String::new();
    for path in files_below(sources, "rs") {
        let name = path.strip_prefix(sources).expect("it is below").display().to_string();
        if name.ends_with("tests.rs") || name.contains("tests/") {
            continue;
        }
        let source = crate::source::read(&path);
        let mut file = syn::parse_file(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
        file.attrs.clear();
        file.shebang = None;
        OnlyPublic.visit_file_mut(&mut file);
        if !file.items.is_empty() {
            write!(text, "// {name}\n{}\n", prettyplease::unparse(&file)).expect("a text grows");
        }
    }
    text
}

/// Removes all that other crates do not see.
struct OnlyPublic;

fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// True if an item is part of the interface.
fn is_listed(item: &syn::Item) -> bool {
    match item {
        syn::Item::Const(item) => is_public(&item.vis),
        syn::Item::Enum(item) => is_public(&item.vis),
        syn::Item::Fn(item) => is_public(&item.vis),
        syn::Item::Static(item) => is_public(&item.vis),
        syn::Item::Struct(item) => is_public(&item.vis),
        syn::Item::Trait(item) => is_public(&item.vis),
        syn::Item::Type(item) => is_public(&item.vis),
        syn::Item::Use(item) => is_public(&item.vis),
        syn::Item::Mod(module) => module.content.is_some() && !is_for_tests(&module.attrs),
        syn::Item::Impl(item) => !item.items.is_empty() || item.trait_.is_some(),
        syn::Item::Macro(item) => {
            item.mac.path.is_ident("bitflags")
                || item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"))
        }
        _ => false,
    }
}

impl VisitMut for OnlyPublic {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        syn::visit_mut::visit_file_mut(self, file);
        file.items.retain(is_listed);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        syn::visit_mut::visit_item_mod_mut(self, module);
        if let Some((_, items)) = &mut module.content {
            items.retain(is_listed);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        if item.trait_.is_some() {
            // The trait has the declarations.
            item.items.clear();
        }
        item.items.retain(|item| match item {
            syn::ImplItem::Fn(method) => is_public(&method.vis) && !is_for_tests(&method.attrs),
            syn::ImplItem::Const(constant) => is_public(&constant.vis),
            _ => false,
        });
        syn::visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_fields_named_mut(&mut self, fields: &mut syn::FieldsNamed) {
        let all = std::mem::take(&mut fields.named);
        fields.named = all.into_iter().filter(|field| is_public(&field.vis)).collect();
        syn::visit_mut::visit_fields_named_mut(self, fields);
    }

    fn visit_variant_mut(&mut self, variant: &mut syn::Variant) {
        // The fields of a variant are public without a word, so that the filter above would drop
        // them.
        self.visit_attributes_mut(&mut variant.attrs);
        for field in &mut variant.fields {
            self.visit_attributes_mut(&mut field.attrs);
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.clear();
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        attributes.retain(|attribute| {
            let kept = ["derive", "cfg", "non_exhaustive", "deprecated", "macro_export"];
            kept.iter().any(|name| attribute.path().is_ident(name))
                && !attribute.to_token_stream().to_string().contains("docsrs")
        });
    }
}
