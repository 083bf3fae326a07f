//! The files of a git revision, laid out in a temporary folder as they would stand in the work tree. Read through the `git`
//! executable, so that every kind of repository that it knows can be read.

use crate::failure::Failure;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use promptblock_core::{Locale, Message, msg};
use promptblock_workspace::{LARGEST, Wanted};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const CONFIG: &str = "promptblock.toml";
const LOCAL_CATALOG: &str = "promptblock.catalog.local.json";

/// A project as it was in a revision. The folder goes with it.
pub(crate) struct Revision {
    _folder: TempDir,
    /// The project's root in the temporary folder.
    pub(crate) root: Utf8PathBuf,
    /// The top of the repository in the temporary folder.
    pub(crate) top: Utf8PathBuf,
    /// Where the working directory would be there.
    pub(crate) here: Utf8PathBuf,
}

/// A file of the revision.
struct Entry {
    object: String,
    size: u64,
    /// From the top of the repository.
    path: Utf8PathBuf,
}

impl Revision {
    /// The project that stands in `root` today, as it was in `name`. `here` is the working directory.
    pub(crate) fn read(
        root: &Utf8Path,
        here: &Utf8Path,
        name: &str,
        locale: Locale,
    ) -> Result<Self, Failure> {
        let git = Git { root, locale };
        let prefix = git.prefix()?;
        let commit = git.commit(name)?;
        let entries = git.entries(&commit, &prefix)?;
        let config = entries.iter().find(|entry| entry.path == prefix.join(CONFIG));
        let config = match config {
            Some(entry) => git.text(&entry.object)?,
            None => String::new(),
        };
        let wanted = Wanted::by(&config);
        let entries = entries.into_iter().filter(|entry| match entry.path.strip_prefix(&prefix) {
            Ok(inside) => wanted.holds(inside),
            // Above the project only what is ignored matters.
            Err(_) => true,
        });

        let folder = tempfile::tempdir()?;
        let top = folder.path().canonicalize()?;
        let top = Utf8PathBuf::from_path_buf(top).map_err(|path| {
            let path = path.display();
            let what = msg!("the temporary folder {path} is not UTF-8", "临时文件夹 {path} 不是 UTF-8");
            Failure::new(what.text(locale))
        })?;
        // The rules of what is ignored end at a repository's root, here as there.
        fs::create_dir(top.join(".git"))?;
        let then = top.join(&prefix);
        fs::create_dir_all(&then)?;
        git.write(&entries.collect::<Vec<_>>(), &top)?;
        if !then.join(CONFIG).exists() {
            // It says no more than none does, and keeps what lies around the temporary folder out of it.
            fs::write(then.join(CONFIG), "")?;
        }
        if !then.join(LOCAL_CATALOG).exists() && root.join(LOCAL_CATALOG).is_file() {
            // It is nobody's but this machine's, and no revision holds it: it counts for both sides.
            fs::copy(root.join(LOCAL_CATALOG), then.join(LOCAL_CATALOG))?;
        }
        let above = root.ancestors().nth(prefix.components().count());
        let here = above.and_then(|above| here.strip_prefix(above).ok()).unwrap_or(Utf8Path::new(""));
        let here = top.join(here);
        Ok(Self { _folder: folder, root: then, top, here })
    }
}

struct Git<'a> {
    root: &'a Utf8Path,
    locale: Locale,
}

impl Git<'_> {
    fn fail(&self, what: &Message) -> Failure {
        Failure::new(what.text(self.locale))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.root).args(arguments);
        // The repository is that around the project, also where a hook of another one runs us.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(name);
        }
        // Its words are read, nobody is to be asked for a password, and a path is no pattern.
        command.env("LC_ALL", "C").env("GIT_TERMINAL_PROMPT", "0").env("GIT_LITERAL_PATHSPECS", "1");
        command.stdin(Stdio::null()).stderr(Stdio::piped()).stdout(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> Result<Output, Failure> {
        self.command(arguments).output().map_err(|error| self.not_started(&error))
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        self.fail(&match error.kind() {
            ErrorKind::NotFound => {
                msg!("`git` was not found: it is needed to read a revision", "找不到 `git`：读取版本需要它")
            }
            _ => msg!("`git` cannot be started: {error}", "无法启动 `git`：{error}"),
        })
    }

    /// What git says of its failure, in one line.
    fn refused(&self, stderr: &[u8]) -> Failure {
        let said = String::from_utf8_lossy(stderr);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let said = said.trim_start_matches("fatal: ").trim_start_matches("error: ");
        let root = self.root;
        self.fail(&if said.contains("not a git repository") {
            msg!("{root} is not in a git repository", "{root} 不在 git 仓库中")
        } else {
            msg!("git cannot read {root}: {said}", "git 无法读取 {root}：{said}")
        })
    }

    /// The root's path from the top of the repository.
    fn prefix(&self) -> Result<Utf8PathBuf, Failure> {
        // First whether there is a work tree at all: inside of `.git` the other question has an answer too.
        let top = self.run(&["rev-parse", "--show-toplevel"])?;
        let prefix = self.run(&["rev-parse", "--show-prefix"])?;
        if !top.status.success() || !prefix.status.success() {
            return Err(self.refused(if top.status.success() { &prefix.stderr } else { &top.stderr }));
        }
        let prefix = String::from_utf8_lossy(&prefix.stdout);
        Ok(Utf8PathBuf::from(prefix.trim_end_matches(['\n', '\r']).trim_end_matches('/')))
    }

    /// The commit that a revision names.
    fn commit(&self, name: &str) -> Result<String, Failure> {
        let is_option = name.starts_with('-');
        if !is_option && !name.is_empty() {
            let wanted = format!("{name}^{{commit}}");
            let output = self.run(&["rev-parse", "--verify", "--quiet", &wanted])?;
            let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let is_one = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            if output.status.success() && is_one {
                return Ok(commit);
            }
        }
        let shallow = self.run(&["rev-parse", "--is-shallow-repository"])?;
        let shallow = !is_option && String::from_utf8_lossy(&shallow.stdout).trim() == "true";
        Err(self.fail(&if shallow {
            msg!(
                "no commit `{name}` in this repository, which is a shallow clone: fetch it first",
                "此仓库中没有提交 `{name}`；它是浅克隆，请先获取该提交"
            )
        } else {
            msg!("no commit `{name}` in this repository", "此仓库中没有提交 `{name}`")
        }))
    }

    /// The regular files below `prefix`, and what is ignored above it.
    fn entries(&self, commit: &str, prefix: &Utf8Path) -> Result<Vec<Entry>, Failure> {
        let mut arguments = vec!["ls-tree", "-r", "-l", "-z", "--full-tree", commit];
        let above: Vec<String> = prefix
            .ancestors()
            .skip(1)
            .map(|folder| folder.join(".gitignore").as_str().replace('\\', "/"))
            .collect();
        let below = format!("{prefix}/");
        if !prefix.as_str().is_empty() {
            arguments.push("--");
            arguments.push(&below);
            arguments.extend(above.iter().map(String::as_str));
        }
        let output = self.run(&arguments)?;
        if !output.status.success() {
            return Err(self.refused(&output.stderr));
        }
        Ok(output.stdout.split(|byte| *byte == 0).filter_map(entry).collect())
    }

    fn text(&self, object: &str) -> Result<String, Failure> {
        let output = self.run(&["cat-file", "blob", object])?;
        if !output.status.success() {
            return Err(self.refused(&output.stderr));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Writes the files below `top`.
    fn write(&self, entries: &[Entry], top: &Utf8Path) -> Result<(), Failure> {
        let mut child = self.command(&["cat-file", "--batch"]);
        let mut child = child
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.refused(b"no pipe"));
        };
        let (small, large): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|entry| entry.size <= LARGEST);
        let result = std::thread::scope(|scope| {
            // Asked from another thread: both pipes can be full at once.
            scope.spawn(|| {
                let mut stdin = BufWriter::new(stdin);
                for entry in &small {
                    // Where git has ended, the other end says so.
                    let _ = writeln!(stdin, "{}", entry.object);
                }
            });
            let mut stdout = BufReader::new(stdout);
            small.iter().try_for_each(|entry| copy_blob(&mut stdout, &entry.path, top))
        });
        // Whatever it still wanted to say.
        let _ = child.kill();
        let _ = child.wait();
        result.map_err(|error| self.refused(error.to_string().as_bytes()))?;
        for entry in large {
            // Its size is all that is told of such a file.
            create(&top.join(&entry.path))?.set_len(entry.size)?;
        }
        Ok(())
    }
}

/// `100644 blob OBJECT SIZE\tPATH`; neither links nor submodules, and no path that would lead out of the folder.
fn entry(line: &[u8]) -> Option<Entry> {
    let line = std::str::from_utf8(line).ok()?;
    let (head, path) = line.split_once('\t')?;
    let words: Vec<&str> = head.split_ascii_whitespace().collect();
    let &["100644" | "100755", "blob", object, size] = words.as_slice() else { return None };
    let path = Utf8PathBuf::from(path);
    let is_sound = path.components().all(|part| match part {
        Utf8Component::Normal(name) => !name.eq_ignore_ascii_case(".git"),
        _ => false,
    });
    Some(Entry { object: object.to_owned(), size: size.parse().ok()?, path }).filter(|_| is_sound)
}

/// Takes one answer of `cat-file --batch`: `OBJECT blob SIZE`, then so many bytes and a line break.
fn copy_blob(from: &mut impl BufRead, path: &Utf8Path, top: &Utf8Path) -> std::io::Result<()> {
    let mut head = String::new();
    from.read_line(&mut head)?;
    let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
    let size = size.ok_or_else(|| std::io::Error::other(format!("{path}: {}", head.trim_end())))?;
    let mut file = create(&top.join(path))?;
    let copied = std::io::copy(&mut from.take(size), &mut file)?;
    let mut end = [0];
    from.read_exact(&mut end)?;
    if copied == size { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

fn create(path: &Utf8Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out() {
        let of = |path: &str| entry(format!("100644 blob abc 12\t{path}").as_bytes()).map(|it| it.path);
        assert_eq!(of("a/名.promptblock").as_deref(), Some(Utf8Path::new("a/名.promptblock")));
        for path in ["../a", "a/../../b", "/etc/a", ".git/config", "a/.GIT/hooks/x"] {
            assert_eq!(of(path), None, "{path}");
        }
        for line in ["120000 blob abc 12\ta", "160000 commit abc -\ta", "100644 blob abc -\ta", "", "x"] {
            assert!(entry(line.as_bytes()).is_none(), "{line}");
        }
    }
}
