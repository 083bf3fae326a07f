//! What the rules judge by: the project's profile, catalog and environment, and the block's own header.

use crate::assemble::{Environment, NoEnvironment, Vocabulary};
use crate::block::{Cache, Header, Zone};
use crate::catalog::{Catalog, Mutability, Variable};
use crate::message::Message;
use crate::nearest::nearest;
use crate::profile::{Bands, Profile, StablePart};
use crate::project::{Config, FirstCatalog};
use crate::syntax::{Control, TokenKind};
use crate::{Diagnostic, Remedy, Severity, lint::Code};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// Everything outside a file that its findings depend on. Two judges of one revision say the same.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Grows with every change of anything below.
    pub revision: u64,
    /// The framework's rules.
    pub profile: Arc<Profile>,
    /// The bands in force.
    pub bands: Bands,
    /// Every known variable.
    pub catalog: Arc<Catalog>,
    /// Where a catalog belongs if there is none.
    pub first_catalog: FirstCatalog,
    /// The environment to judge `when` predicates in.
    pub environment: Option<Arc<Environment>>,
    /// Why there is none, where there is none.
    pub no_environment: NoEnvironment,
    /// Changed severities; `None` is off.
    pub severity: FxHashMap<Code, Option<Severity>>,
    /// What contents are counted with; `None` where there is no budget, and nobody has to know.
    pub counts: Option<Vocabulary>,
}

impl Judge {
    /// A judge with the default configuration.
    pub fn new(catalog: Catalog) -> Self {
        let profile = Profile::blocks();
        Self {
            revision: 1,
            bands: Bands(profile.bands.clone()),
            profile,
            catalog: Arc::new(catalog),
            first_catalog: Config::default().first_catalog(),
            environment: None,
            no_environment: NoEnvironment::default(),
            severity: FxHashMap::default(),
            counts: None,
        }
    }

    /// Whether a variable changes, in the environment; `None` where that cannot be judged. [S0]
    pub fn is_mutable(&self, variable: &Variable) -> Option<bool> {
        match &variable.mutable {
            Mutability::No => Some(false),
            Mutability::Yes => Some(true),
            Mutability::Unknown => None,
            Mutability::When(condition) => {
                let environment = self.environment.as_ref()?;
                crate::assemble::holds(condition, &|name| environment.get(name))
            }
        }
    }

    /// Whether what a block says must stay the same from turn to turn.
    pub(crate) fn is_stable(&self, header: &Header) -> bool {
        match self.profile.stable_part {
            StablePart::SystemZone => header.zone() == Some(Zone::System),
            StablePart::CacheKey => header.zone().is_some() && header.cache() == Cache::Stable,
        }
    }

    /// The severity that is configured for `code`, where one is; `Some(None)` is off.
    pub(crate) fn changed_severity(&self, code: Code) -> Option<Option<Severity>> {
        self.severity.get(&code).copied().filter(|_| code != Code::InvalidHeader)
    }
}

/// A judge together with the block that is judged.
pub(crate) struct Case<'a> {
    pub(crate) judge: &'a Judge,
    pub(crate) header: &'a Header,
    /// Whether the body is a template.
    pub(crate) template: bool,
    /// Names near to an unknown one, since a wrong name rarely comes alone.
    near: RefCell<FxHashMap<String, (Message, Remedy)>>,
    /// Names looked up since they were last taken.
    asked: RefCell<Vec<Arc<str>>>,
}

impl<'a> Case<'a> {
    pub(crate) fn new(judge: &'a Judge, header: &'a Header) -> Self {
        let template = header.is_template(judge.profile.template_default);
        Self { judge, header, template, near: RefCell::default(), asked: RefCell::default() }
    }

    /// The catalog's variable of that name; that it was asked for is remembered, since the verdict depends on the answer.
    pub(crate) fn lookup(&self, name: &str) -> Option<&'a Arc<Variable>> {
        // The user's input is known only where there is a zone for it.
        let prompt = || self.judge.profile.input_zone || name != "prompt";
        let variable = self.judge.catalog.get(name).filter(|_| prompt());
        let name = variable.map_or_else(|| Arc::from(name), |variable| Arc::clone(&variable.name));
        self.asked.borrow_mut().push(name);
        variable
    }

    /// The names looked up since the last call, each once.
    pub(crate) fn take_asked(&self) -> Vec<Arc<str>> {
        let mut asked = self.asked.take();
        asked.sort();
        asked.dedup();
        asked
    }

    /// The question to put behind a message, and the fix, for an unknown name.
    pub(crate) fn near(&self, name: &str) -> (Message, Remedy) {
        let mut near = self.near.borrow_mut();
        if let Some(known) = near.get(name) {
            return known.clone();
        }
        let names = self.judge.catalog.iter().map(|variable| &*variable.name);
        let found = nearest(name, names.filter(|candidate| *candidate != "prompt" || self.takes_prompt()));
        let answer = (found.question(), found.suggest());
        near.insert(name.to_owned(), answer.clone());
        answer
    }

    fn takes_prompt(&self) -> bool {
        self.header.zone() == Some(Zone::Input)
    }
}

/// A name used in a live tag.
pub(crate) struct Use<'a> {
    /// The whole name, with fields.
    pub(crate) name: &'a str,
    /// Its first segment: what the catalog knows.
    pub(crate) first: &'a str,
    /// Place of the first segment, in the chunk.
    pub(crate) span: crate::Span,
    /// Where it stands.
    pub(crate) position: Position,
    /// From the first argument to the last, and how many.
    pub(crate) arguments: Option<(crate::Span, usize)>,
}

/// Where a name stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Position {
    /// `{name}`
    Tag,
    /// In a condition or as a count.
    Operand,
    /// Behind `in`.
    List,
}

impl Position {
    /// Where the name in a tag of that kind stands.
    pub(crate) const fn in_tag(kind: TokenKind) -> Self {
        match kind {
            TokenKind::Variable => Self::Tag,
            TokenKind::Opener(Control::For) => Self::List,
            _ => Self::Operand,
        }
    }
}

impl Use<'_> {
    /// A finding on the name.
    pub(crate) fn on_name(&self, code: Code, message: Message) -> Diagnostic {
        Diagnostic::new(code, self.span, message)
    }
}
