//! What was found, as one JSON object. Its keys stay; new ones may come.

use super::sources::{NotRead, Sources};
use super::{CONFIG, ENVIRONMENTS, Found, GRAMMAR_ABI, LOCAL_CATALOG, TOOLS, shown};
use camino::Utf8Path;
use promptblock_core::catalog::{Layer, Variable};
use promptblock_core::{Locale, Severity};
use promptblock_workspace::{ProjectView, ReadError};
use serde_json::{Value, json};

/// The whole object.
pub(super) fn object(found: &Found, locale: Locale) -> Value {
    let user = found.user_catalog.as_ref().map(|path| file(found, path, path.as_str(), locale));
    let projects: Vec<_> = found.projects.iter().map(|view| project(found, view, locale)).collect();
    json!({
        "version": 1,
        "promptblock": env!("CARGO_PKG_VERSION"),
        "grammar": {"abi": super::abi(), "readable": [GRAMMAR_ABI.0, GRAMMAR_ABI.1]},
        "locale": name(locale),
        "directory": found.here.as_str(),
        "userCatalog": user,
        "projects": projects,
    })
}

fn project(found: &Found, view: &ProjectView, locale: Locale) -> Value {
    let at = |path: &Utf8Path| file(found, path, &shown(path, view), locale);
    let catalog = |layer: Layer, path: &Utf8Path| {
        let mut catalog = at(path);
        catalog["layer"] = layer_name(layer).into();
        catalog["variables"] = found.entries(view, layer, path).into();
        catalog
    };
    let user = found.user_catalog.as_ref().filter(|path| path.exists());
    let mut catalogs: Vec<Value> = user.map(|path| catalog(Layer::User, path)).into_iter().collect();
    catalogs.extend(found.project_catalogs(view).iter().map(|path| catalog(Layer::Project, path)));
    catalogs.push(catalog(Layer::Local, &view.root.join(LOCAL_CATALOG)));
    let origin = |variable: &Variable| {
        let path = variable.definition.map(|it| shown(&found.workspace.path(it.file), view));
        json!({"layer": layer_name(variable.layer), "path": path})
    };
    let shadows = found
        .shadows(view)
        .into_iter()
        .map(|(above, below)| json!({"name": above.name, "by": origin(above), "hidden": origin(below)}));
    let shadows: Vec<_> = shadows.collect();
    let unreadable = found.left_out(view).into_iter().map(|(path, why)| {
        let why = why.as_ref().unwrap_or(&ReadError::NotAFile).message();
        json!({"path": shown(&path, view), "why": why.text(locale)})
    });
    let unreadable: Vec<_> = unreadable.collect();
    let mut environments = at(&view.root.join(ENVIRONMENTS));
    environments["names"] = view.environments.0.iter().map(|it| it.name.to_string()).collect();
    environments["chosen"] = view.judge.environment.as_ref().map(|it| it.name.to_string()).into();
    let mut tools = at(&view.root.join(TOOLS));
    tools["names"] = view
        .frame
        .tools
        .iter()
        .flat_map(|tools| &tools.list)
        .map(|tool| tool.name.value.to_string())
        .collect();
    let instructions: Vec<Value> = view.instruction_paths.iter().map(|path| at(path)).collect();
    let passed_over = found.workspace.left_out(&view.root);
    let excluded: Vec<_> = passed_over.excluded.iter().map(|path| shown(path, view)).collect();
    json!({
        "root": view.root.as_str(),
        "config": at(&view.root.join(CONFIG)),
        "profile": view.config.profile.name,
        "locale": view.config.locale.map(name),
        "environments": environments,
        "catalogPatterns": view.config.catalogs,
        "catalogs": catalogs,
        "tools": tools,
        "instructions": instructions,
        "variables": view.judge.catalog.iter().count(),
        "shadows": shadows,
        "blocks": view.index.len(),
        "sources": sources(found, view, locale),
        "unreadable": unreadable,
        "excluded": excluded,
        "ignored": passed_over.ignored,
    })
}

fn sources(found: &Found, view: &ProjectView, locale: Locale) -> Value {
    let Sources { files, blocks, variables, fields, unread } = Sources::of(found, view);
    let unread = unread.into_iter().map(|NotRead { path, line, column, call, name, why }| {
        let why = why.text(locale);
        json!({"path": path, "line": line, "column": column, "call": call, "name": name, "why": why})
    });
    let unread: Vec<_> = unread.collect();
    json!({
        "files": files, "blocks": blocks, "variables": variables, "environmentFields": fields, "unread": unread,
    })
}

/// A file of the settings: `state` is `found`, `missing` or `unreadable`.
fn file(found: &Found, path: &Utf8Path, shown: &str, locale: Locale) -> Value {
    let why = found.unreadable.get(path).map(|error| error.message().text(locale).to_owned());
    let state = match (&why, found.presence(path)) {
        (Some(_), _) => "unreadable",
        (None, Some(_)) => "missing",
        (None, None) => "found",
    };
    let findings = found.workspace.findings(found.workspace.file(path)).filter(|_| state == "found");
    let findings = findings.map(|found| found.diagnostics).unwrap_or_default();
    let errors = findings.iter().filter(|it| it.severity == Severity::Error).count();
    json!({"path": shown, "state": state, "why": why, "findings": findings.len(), "errors": errors})
}

fn name(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "en",
        Locale::ZhCn => "zh-CN",
    }
}

fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::BuiltIn => "built-in",
        Layer::User => "user",
        Layer::Source => "source",
        Layer::Project => "project",
        Layer::Local => "local",
    }
}
