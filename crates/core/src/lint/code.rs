//! The registry of diagnostic codes: name, default severity, how an editor should fade it, explanation.

use crate::diagnostic::Severity;
use crate::message::Locale;
use std::fmt;

/// How an editor may show the range besides the squiggle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fade {
    /// Not at all.
    No,
    /// As text that has no effect (LSP's `DiagnosticTag.Unnecessary`).
    Unnecessary,
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $severity:ident $fade:ident;)+) => {
        /// A kind of diagnostic. The name is stable: it stands in `allow`, in `promptblock.toml` and in CI logs.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $($(#[doc = $doc])+ $variant,)+ }

        impl Code {
            /// Every code, in the order of the reference table.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];

            /// The stable name, e.g. `unknown-variable`.
            pub const fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)+ }
            }

            /// The severity where `promptblock.toml` says nothing.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)+ }
            }

            /// Whether the range is text without effect.
            pub const fn fade(self) -> Fade {
                match self { $(Code::$variant => Fade::$fade,)+ }
            }

            /// The page of explanation in Markdown: what, why it costs, an example before and after, how to switch it off.
            pub const fn explanation(self, locale: Locale) -> &'static str {
                match (self, locale) {
                    $((Code::$variant, Locale::En) => include_str!(concat!("explain/en/", $name, ".md")),
                      (Code::$variant, Locale::ZhCn) => include_str!(concat!("explain/zh-CN/", $name, ".md")),)+
                }
            }
        }
    };
}

codes! {
    /// A variable that is neither in the catalog nor a loop variable. [S0]
    UnknownVariable "unknown-variable" Error No;
    /// A variable whose value changes stands in the system zone. [S0]
    MutableInSystem "mutable-in-system" Error No;
    /// Whether the variable changes cannot be judged in this environment. [S0]
    MutabilityUndetermined "mutability-undetermined" Error No;
    /// A variable used outside its zones. [S0]
    ZoneMismatch "zone-mismatch" Error No;
    /// Too few or too many arguments. [S0]
    ArgumentCount "argument-count" Error No;
    /// Two blocks of the project have one id. [S0]
    DuplicateId "duplicate-id" Error No;
    /// A system order outside the profile's range, or not an integer. [S0]
    OrderOutOfRange "order-out-of-range" Error No;
    /// An input block without a live `{prompt}`. [S0]
    MissingPrompt "missing-prompt" Error No;
    /// Several exclusive blocks in one project. [S0]
    MultipleComplete "multiple-complete" Error No;
    /// The header is missing, not closed, no YAML, or has a key twice.
    InvalidHeader "invalid-header" Error No;
    /// A required key of the header is missing.
    MissingKey "missing-key" Error No;
    /// A value of the header is not one that the key takes.
    InvalidValue "invalid-value" Error No;
    /// The variable catalog cannot be read here.
    InvalidCatalog "invalid-catalog" Error No;
    /// A variable is defined twice in one layer of the catalog.
    DuplicateVariable "duplicate-variable" Error No;
    /// The file of sample environments cannot be read here.
    InvalidEnvironment "invalid-environment" Error No;
    /// `promptblock.toml` cannot be read here.
    InvalidConfig "invalid-config" Error No;
    /// A reference of profile `harness` that is none. [S1]
    MalformedReference "malformed-reference" Error No;
    /// A control tag without its closer.
    UnclosedTag "unclosed-tag" Error No;
    /// A closer or a branch without its opener.
    UnexpectedTag "unexpected-tag" Error No;
    /// A control tag that does not fit its form; it is kept as text. [S0]
    InvalidExpression "invalid-expression" Error No;
    /// Only in an assembly: a variable used has no value in the environment.
    MissingValue "missing-value" Warning No;
    /// Only in an assembly: a negative or fractional `repeat`.
    InvalidCount "invalid-count" Warning No;
    /// Only in an assembly: a limit of iterations or output is reached.
    LimitReached "limit-reached" Warning No;
    /// Doubled braces around a known variable give its name, not its value.
    EscapedVariable "escaped-variable" Warning No;
    /// The project knows no variables at all.
    NoCatalog "no-catalog" Information No;
    /// Braces that are no tag: kept word for word.
    LiteralBraces "literal-braces" Warning No;
    /// A tag inside literal braces: it looks alive and is not.
    InertTag "inert-tag" Warning No;
    /// A key that is not known here.
    UnknownKey "unknown-key" Warning No;
    /// Two blocks of one list have one order: their sequence is luck. [S0]
    OrderConflict "order-conflict" Warning No;
    /// Nothing can change the condition while it renders.
    EndlessWhile "endless-while" Warning No;
    /// A loop over a variable that is no list.
    NotAList "not-a-list" Warning No;
    /// A zone has more tokens than its budget. [S3]
    OverBudget "over-budget" Warning No;
    /// A system order in no band. [S0]
    OrderOffBand "order-off-band" Information No;
    /// A system block that an exclusive block replaces. [S0]
    ReplacedByComplete "replaced-by-complete" Information Unnecessary;
    /// A timestamp, a date of today or a UUID in the system zone's text. [S0]
    VolatileLiteral "volatile-literal" Information No;
    /// A lone brace.
    StrayBrace "stray-brace" Information No;
    /// An id without `plugin:` in front. [S0]
    IdWithoutPrefix "id-without-prefix" Hint No;
    /// `template` is off and the body has a tag of a known variable. [S0]
    TemplateNotEnabled "template-not-enabled" Hint No;
    /// An entry of the project's catalog that no block uses. [S0]
    UnusedVariable "unused-variable" Hint Unnecessary;
}

/// The beginning of a fence in an explanation that tells which file the example is.
pub(crate) struct Label<'a> {
    pub(crate) language: &'a str,
    pub(crate) file: &'a str,
}

impl<'a> Label<'a> {
    /// What an example is that is not named.
    const BLOCK: &'static str = "block.promptblock";

    /// Of a line that begins a fence; `None` where the fence is no file.
    pub(crate) fn of(line: &'a str) -> Option<Self> {
        let (language, words) = line.strip_prefix("```")?.trim_end().split_once(' ')?;
        let (first, rest) = words.split_once(' ').unwrap_or((words, Self::BLOCK));
        let file = if matches!(first, "before" | "after") { rest } else { words };
        Some(Self { language, file })
    }
}

impl Code {
    /// The explanation for readers. What tells the tests which example is which file is said above the example, unless all are the one
    /// block file.
    pub fn page(self, locale: Locale) -> String {
        let explanation = self.explanation(locale);
        let named = explanation.lines().filter_map(Label::of).any(|label| label.file != Label::BLOCK);
        let mut page = String::new();
        for line in explanation.split_inclusive('\n') {
            match Label::of(line) {
                Some(Label { language, file, .. }) if named => {
                    page.extend(["`", file, "`\n\n```", language, "\n"]);
                }
                Some(Label { language, .. }) => page.extend(["```", language, "\n"]),
                None => page.push_str(line),
            }
        }
        page
    }

    /// What the page says first: when it is reported.
    pub fn summary(self, locale: Locale) -> &'static str {
        // A heading, a line with the severity, then the summary.
        self.explanation(locale).split("\n\n").nth(2).unwrap_or_default()
    }

    /// The first sentence of the summary.
    pub fn headline(self, locale: Locale) -> &'static str {
        let summary = self.summary(locale);
        let ends = [". ", ".\n", "。"].into_iter();
        let end = ends.filter_map(|end| Some(summary.find(end)? + end.trim_end().len())).min();
        end.map_or(summary, |end| &summary[..end])
    }

    /// The code of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
