//! Where things are, how programs are run, and how tools that are not there get installed.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

/// The version that the committed parsers were generated with.
const TREE_SITTER: &str = "0.27.1";

/// A program that hangs must not hold up the build server for ever.
const LIMIT: Duration = Duration::from_secs(25 * 60);

/// The checkout.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    target: PathBuf,
}

impl Project {
    pub(crate) fn find() -> Result<Self> {
        // `cargo run` says where the package is now; where it was compiled may be another checkout.
        let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let here = PathBuf::from(here);
        let root = here.ancestors().nth(2).context("xtask lies two folders below the root")?.to_path_buf();
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
        Ok(Self { root, target })
    }

    /// A path of the checkout.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The release build of the server.
    pub(crate) fn server(&self) -> PathBuf {
        self.target.join("release").join(format!("promptblock{}", env::consts::EXE_SUFFIX))
    }

    /// Where `dist` puts its files.
    pub(crate) fn dist(&self) -> PathBuf {
        self.target.join("dist")
    }

    pub(crate) fn build_server(&self) -> Result<()> {
        self.cargo(&["build", "--release", "--locked", "--package", "promptblock"]).run()
    }

    pub(crate) fn cargo(&self, arguments: &[&str]) -> Run {
        self.run(env::var_os("CARGO").unwrap_or_else(|| "cargo".into())).args(arguments)
    }

    /// A program in the checkout's root; change that with [`Run::dir`].
    pub(crate) fn run(&self, program: impl AsRef<OsStr>) -> Run {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        Run { command }
    }

    /// Installs the packages of a Node project if its lock file has changed since.
    pub(crate) fn npm_install(&self, folder: &str) -> Result<()> {
        let dir = self.path(folder);
        let lock = dir.join("package-lock.json");
        if !lock.exists() {
            return Ok(()); // a package without dependencies
        }
        let wanted = fs::read(&lock).with_context(|| format!("reading {}", lock.display()))?;
        let stamp = dir.join("node_modules/.promptblock-lock");
        if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
            return Ok(());
        }
        self.run("npm").args(&["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).dir(&dir).run()?;
        fs::create_dir_all(dir.join("node_modules"))?;
        fs::write(&stamp, wanted).context("noting what is installed")
    }

    /// Runs scripts of a Node project, all of them, and fails if one does.
    pub(crate) fn npm(&self, folder: &str, scripts: &[&str]) -> Result<()> {
        let dir = self.path(folder);
        ensure!(dir.join("package.json").exists(), "{folder} has no package.json");
        self.npm_install(folder)?;
        let mut failed = Vec::new();
        for script in scripts {
            if let Err(error) = self.run("npm").args(&["run", "--silent", script]).dir(&dir).run() {
                println!("{error:#}");
                failed.push(*script);
            }
        }
        ensure!(failed.is_empty(), "npm run {} failed in {folder}", failed.join(", "));
        Ok(())
    }

    /// The tree-sitter command, installed if need be.
    pub(crate) fn tree_sitter(&self) -> Result<PathBuf> {
        let folder = tools_folder()?.join(format!("tree-sitter-{TREE_SITTER}"));
        let program = folder.join("bin").join(format!("tree-sitter{}", env::consts::EXE_SUFFIX));
        let version = Command::new(&program).arg("--version").stderr(Stdio::null()).output();
        if version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(TREE_SITTER)) {
            return Ok(program);
        }
        println!("installing tree-sitter-cli {TREE_SITTER} into {}, once", folder.display());
        self.cargo(&[
            "install",
            "tree-sitter-cli",
            "--version",
            TREE_SITTER,
            "--locked",
            "--force",
            "--root",
        ])
        .arg(&folder)
        .run()?;
        Ok(program)
    }
}

/// Where tools are kept between runs; the test scripts know the same place.
pub(crate) fn tools_folder() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("PROMPTBLOCK_TOOLS").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let cache = env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let home = || env::home_dir().map(|home| home.join(".cache"));
    let cache = cache.or_else(home).context("no home folder to keep tools in: set PROMPTBLOCK_TOOLS")?;
    Ok(cache.join("promptblock-tools"))
}

/// The place of a program on the PATH.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let names = if cfg!(windows) {
        vec![format!("{program}.exe"), format!("{program}.cmd")]
    } else {
        vec![program.to_owned()]
    };
    env::split_paths(&env::var_os("PATH")?)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|candidate| candidate.is_file())
}

/// A program to run, with what it prints going to ours.
pub(crate) struct Run {
    command: Command,
}

impl Run {
    pub(crate) fn args(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    pub(crate) fn dir(mut self, dir: &Path) -> Self {
        self.command.current_dir(dir);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    fn describe(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// Runs it without standard input; a status other than 0 or too long a time is an error.
    pub(crate) fn run(mut self) -> Result<()> {
        let what = self.describe();
        self.command.stdin(Stdio::null());
        let grouped = own_group(&mut self.command);
        let mut child = self.command.spawn().with_context(|| format!("cannot start {what}"))?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > LIMIT {
                if grouped {
                    // The whole group: a script's own children would live on.
                    let _ = Command::new("kill").args(["-9", &format!("-{}", child.id())]).status();
                }
                let _ = child.kill();
                let _ = child.wait();
                bail!("{what}: no end after {} minutes", LIMIT.as_secs() / 60);
            }
            thread::sleep(Duration::from_millis(20));
        };
        ensure!(status.success(), "{what}: {status}");
        Ok(())
    }

    /// Runs it and gives what it prints on standard output, and whether it ended with 0.
    pub(crate) fn output(mut self) -> Result<(String, bool)> {
        let what = self.describe();
        let output = self.command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("cannot start {what}"))?;
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success()))
    }

    /// Runs it with the terminal, as an editor wants it. The exit status is the program's own affair.
    pub(crate) fn interact(mut self) -> Result<std::process::ExitStatus> {
        let what = self.describe();
        self.command.status().with_context(|| format!("cannot start {what}"))
    }
}

/// Puts a program into a process group of its own, so that it can be ended with all its children. Not at a
/// terminal: there Ctrl-C has to reach it.
#[cfg(unix)]
fn own_group(command: &mut Command) -> bool {
    use std::io::IsTerminal;
    use std::os::unix::process::CommandExt;
    let alone = !std::io::stdin().is_terminal();
    if alone {
        command.process_group(0);
    }
    alone
}

#[cfg(not(unix))]
fn own_group(_: &mut Command) -> bool {
    false
}
