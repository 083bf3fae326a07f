//! What the client may set, and whose word counts.

use promptblock_core::Locale;
use promptblock_core::ide::HintKinds;
use serde_json::Value;
use tower_lsp::ls_types::InitializeParams;

/// Which files' diagnostics are pushed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Scope {
    /// Every file's, so that the list of problems is whole.
    #[default]
    Workspace,
    /// The open files' only.
    Open,
}

/// The client's settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    /// The reader's language, where the project does not say.
    pub(crate) locale: Locale,
    /// See [`Scope`].
    pub(crate) scope: Scope,
    /// Which hints stand in the text.
    pub(crate) hints: HintKinds,
    /// The client's own language, which holds where no setting says otherwise.
    client: Locale,
}

impl Default for Settings {
    fn default() -> Self {
        let hints = HintKinds { bands: true, examples: false };
        Self { locale: Locale::default(), scope: Scope::default(), hints, client: Locale::default() }
    }
}

impl Settings {
    /// As given at the start: the options of the initialization count more than the client's own language.
    pub(crate) fn at_start(params: &InitializeParams) -> Self {
        let mut settings = Self::default();
        if let Some(locale) = &params.locale {
            settings.client = Locale::from_name(locale);
            settings.locale = settings.client;
        }
        if let Some(options) = &params.initialization_options {
            settings.merge(options);
        }
        settings
    }

    /// Takes over what `options` say: the section `promptblock`, its content, or nothing that is known.
    pub(crate) fn merge(&mut self, options: &Value) {
        let options = options.get("promptblock").unwrap_or(options);
        match options.get("locale").and_then(Value::as_str).map(str::trim) {
            Some("" | "auto") => self.locale = self.client,
            Some(name) => self.locale = Locale::from_name(name),
            None => {}
        }
        match options.pointer("/diagnostics/scope").and_then(Value::as_str) {
            Some("open") => self.scope = Scope::Open,
            Some("workspace") => self.scope = Scope::Workspace,
            _ => {}
        }
        let flag = |pointer| options.pointer(pointer).and_then(Value::as_bool);
        self.hints.bands = flag("/inlayHints/bands").unwrap_or(self.hints.bands);
        self.hints.examples = flag("/inlayHints/examples").unwrap_or(self.hints.examples);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at_start(params: Value) -> Settings {
        let mut whole = json!({"capabilities": {}});
        whole.as_object_mut().unwrap().extend(params.as_object().unwrap().clone());
        Settings::at_start(&serde_json::from_value(whole).unwrap())
    }

    #[test]
    fn options_beat_the_clients_language() {
        assert_eq!(at_start(json!({})), Settings::default());
        assert_eq!(at_start(json!({"locale": "zh-cn"})).locale, Locale::ZhCn);
        let both = json!({"locale": "zh-cn", "initializationOptions": {"locale": "en"}});
        assert_eq!(at_start(both).locale, Locale::En);
        for unset in [json!(""), json!("auto"), json!(null), json!(1)] {
            let params = json!({"locale": "zh-cn", "initializationOptions": {"locale": unset}});
            assert_eq!(at_start(params).locale, Locale::ZhCn, "{unset}");
        }
    }

    #[test]
    fn a_setting_taken_back_leaves_the_clients_language() {
        let mut settings = at_start(json!({"locale": "zh-cn", "initializationOptions": {"locale": "en"}}));
        settings.merge(&json!({"promptblock": {"locale": "auto"}}));
        assert_eq!(settings.locale, Locale::ZhCn);
    }

    #[test]
    fn hints() {
        let hints = |options| at_start(json!({"initializationOptions": options})).hints;
        assert_eq!(hints(json!({})), HintKinds { bands: true, examples: false });
        let both = json!({"promptblock": {"inlayHints": {"bands": false, "examples": true}}});
        assert_eq!(hints(both), HintKinds { bands: false, examples: true });
        assert_eq!(hints(json!({"inlayHints": {"bands": "no", "examples": 1}})), Settings::default().hints);
        assert_eq!(hints(json!({"inlayHints": false})), Settings::default().hints);
    }

    #[test]
    fn scope() {
        for (options, scope) in [
            (json!({"diagnostics": {"scope": "open"}}), Scope::Open),
            (json!({"promptblock": {"diagnostics": {"scope": "open"}}}), Scope::Open),
            (json!({"diagnostics": {"scope": "all of them"}}), Scope::Workspace),
            (json!({"diagnostics": 1}), Scope::Workspace),
            (json!(null), Scope::Workspace),
            (json!([]), Scope::Workspace),
        ] {
            assert_eq!(at_start(json!({"initializationOptions": options})).scope, scope, "{options}");
        }
    }
}
