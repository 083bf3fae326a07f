//! What the user's surroundings say: language, folder of the user's own settings.

use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::Locale;
use promptblock_workspace::{Options, ProjectView};

/// The language that the system asks for (`LC_ALL`, `LC_MESSAGES`, `LANG`).
pub(crate) fn of_system() -> Locale {
    sys_locale::get_locale().map_or(Locale::En, |name| Locale::from_name(&name))
}

/// The language of the findings in a project.
pub(crate) fn of_project(project: Option<&ProjectView>) -> Locale {
    project.and_then(|project| project.config.locale).unwrap_or_else(of_system)
}

/// What a workspace goes by besides its files.
pub(crate) fn options(environment: Option<String>) -> Options {
    let home = ["HOME", "USERPROFILE"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|it| !it.is_empty()));
    // A relative one would depend on where we are.
    let home = home.map(Utf8PathBuf::from).filter(|home| home.is_absolute());
    Options { user_folder: user_folder(), home, environment }
}

/// `$XDG_CONFIG_HOME/promptblock`, else `~/.config/promptblock`.
pub(crate) fn user_folder() -> Option<Utf8PathBuf> {
    let folder = std::env::var("XDG_CONFIG_HOME").ok().filter(|it| it.starts_with('/'));
    let folder = folder.map(Utf8PathBuf::from);
    let home = || {
        std::env::var("HOME").ok().filter(|it| !it.is_empty()).map(|it| Utf8Path::new(&it).join(".config"))
    };
    folder.or_else(home).map(|folder| folder.join("promptblock"))
}
