//! A file gets a new text: written to a temporary one beside it, which then takes its name.

use camino::Utf8Path;
use promptblock_core::{Message, msg};
use std::io::{self, Write};

/// Puts `text` in the place of `original`, whole or not at all.
pub(crate) fn replace(path: &Utf8Path, original: &str, text: &str) -> Result<(), Message> {
    let failed = |error: io::Error| msg!("cannot be written: {error}", "无法写入：{error}");
    // A link stays a link.
    let path = path.canonicalize_utf8().map_err(failed)?;
    let meta = path.metadata().map_err(failed)?;
    // Renaming over it would work, and is not what whoever protected the file wants.
    if meta.permissions().readonly() {
        return Err(msg!("is read-only, left as it is", "是只读文件，未改动"));
    }
    let folder = path.parent().unwrap_or(&path);
    let mut new = tempfile::Builder::new().prefix(".promptblock-").tempfile_in(folder).map_err(failed)?;
    new.write_all(text.as_bytes()).map_err(failed)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Only the superuser can give files away; to anybody else the new one belongs as the old one did.
        let _ = std::os::unix::fs::fchown(new.as_file(), Some(meta.uid()), Some(meta.gid()));
    }
    new.as_file().set_permissions(meta.permissions()).map_err(failed)?;
    new.as_file().sync_all().map_err(failed)?;
    if std::fs::read(&path).map_err(failed)? != original.as_bytes() {
        return Err(msg!("was changed meanwhile, left as it is", "期间被他人改动，未写入"));
    }
    new.persist(&path).map_err(|error| failed(error.error))?;
    Ok(())
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_else_changed_meanwhile_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8Path::from_path(folder.path()).expect("UTF-8").join("a.promptblock");
        std::fs::write(&path, "theirs").expect("a file");
        let why = replace(&path, "as it was read", "fixed").expect_err("not written");
        assert_eq!(why, msg!("was changed meanwhile, left as it is", "期间被他人改动，未写入"));
        assert_eq!(std::fs::read_to_string(&path).expect("a file"), "theirs");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
        std::fs::remove_file(&path).expect("removed");
        assert!(replace(&path, "as it was read", "fixed").is_err() && !path.exists());
    }
}
