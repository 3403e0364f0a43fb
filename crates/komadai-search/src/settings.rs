//! The techniques and numbers of a search, as constants or as options.
//!
//! The hot code tests some sixty switches and numbers at each node. A search with the defaults is
//! compiled for them, so that no test is left and the code is smaller; any other search reads its
//! options. The choice is made once a search ([`is_default`]), and both make the same nodes.

use core::marker::PhantomData;

use crate::options::SearchOptions;
use crate::parameters::Parameters;
use crate::quiescence_method::Quiescence;
use crate::searcher::node_visitor::{NoVisitor, NodeVisitor};
use crate::techniques::Techniques;

/// The source of a search's techniques and numbers: a type without values, which a
/// [`Worker`](crate::worker::Worker) is compiled for.
pub(crate) trait Settings {
    /// True if the techniques, the parameters and the quiescence method are the defaults. Code
    /// behind a test of this constant is compiled only where it can run.
    const IS_FIXED: bool;

    /// The observer of the nodes.
    type Visitor: NodeVisitor;

    fn techniques(options: &SearchOptions) -> Techniques;

    fn parameters(options: &SearchOptions) -> &Parameters;
}

/// The default settings, known to the compiler.
#[derive(Debug)]
pub(crate) enum Fixed {}

impl Settings for Fixed {
    const IS_FIXED: bool = true;

    type Visitor = NoVisitor;

    #[inline(always)]
    fn techniques(_: &SearchOptions) -> Techniques {
        Techniques::DEFAULT
    }

    #[inline(always)]
    fn parameters(_: &SearchOptions) -> &Parameters {
        &Parameters::DEFAULT
    }
}

/// The settings of the options, and a visitor.
#[derive(Debug)]
pub(crate) struct Tunable<V = NoVisitor>(PhantomData<V>);

impl<V: NodeVisitor> Settings for Tunable<V> {
    const IS_FIXED: bool = false;

    type Visitor = V;

    #[inline(always)]
    fn techniques(options: &SearchOptions) -> Techniques {
        options.techniques
    }

    #[inline(always)]
    fn parameters(options: &SearchOptions) -> &Parameters {
        &options.parameters
    }
}

/// The settings of workers that belong to no alpha-beta search.
#[cfg(not(komadai_small))]
pub(crate) type AnySettings = Tunable;

/// The settings of all workers of a build for small size.
#[cfg(komadai_small)]
pub(crate) type AnySettings = Fixed;

/// Returns whether [`Fixed`] are the settings of these options, as in every build for small size.
pub(crate) fn is_default(options: &SearchOptions) -> bool {
    cfg!(komadai_small)
        || options.techniques == Techniques::DEFAULT
            && options.parameters == Parameters::DEFAULT
            && options.quiescence == Quiescence::Standard
}
