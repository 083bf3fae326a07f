//! `cargo xtask dist`: what a release consists of, in `target/dist`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::grammars;
use crate::tools::Project;

pub(crate) fn run(project: &Project) -> Result<()> {
    project.build_server()?;
    let version = version(project)?;
    let made = [binary(project, &version)?, neovim(project, &version)?, vsix(project)?];
    println!("\nin {}:", project.dist().display());
    for file in made {
        let size = fs::metadata(&file)?.len();
        println!("  {}  {size} bytes", file.file_name().unwrap_or_default().to_string_lossy());
    }
    Ok(())
}

/// What the server calls itself.
fn version(project: &Project) -> Result<String> {
    let (output, _) = project.run(project.server()).args(&["--version"]).output()?;
    let version = output.split_whitespace().nth(1).map(str::to_owned);
    version.with_context(|| format!("promptblock --version prints no version: {output:?}"))
}

/// The VS Code extension with the server inside, for this platform. The server must have been built.
pub(crate) fn vsix(project: &Project) -> Result<PathBuf> {
    project.npm_install("editors/vscode")?;
    fs::create_dir_all(project.dist())?;
    let file = project.dist().join("promptblock.vsix");
    project
        .run("npm")
        .args(&["run", "--silent", "package"])
        .dir(&project.path("editors/vscode"))
        .env("PROMPTBLOCK_BINARY", project.server())
        .env("PROMPTBLOCK_VSIX", &file)
        .run()?;
    ensure!(file.is_file(), "npm run package left no {}", file.display());
    Ok(file)
}

fn binary(project: &Project, version: &str) -> Result<PathBuf> {
    let name = format!("promptblock-{version}-{}-{}", env::consts::ARCH, env::consts::OS);
    let stage = Stage::new(project, &name)?;
    stage.copy(&project.server(), &format!("promptblock{}", env::consts::EXE_SUFFIX))?;
    for file in ["README.md", "README.zh-CN.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        stage.copy(&project.path(file), file)?;
    }
    stage.pack(&name)
}

/// The plugin, and the C sources that `:PromptblockInstallParsers` compiles.
fn neovim(project: &Project, version: &str) -> Result<PathBuf> {
    grammars::check_copies(project)?;
    let stage = Stage::new(project, "promptblock.nvim")?;
    stage.copy_folder(&project.path("editors/neovim"), "")?;
    for grammar in grammars::ALL {
        let name = grammar.folder.rsplit('/').next().unwrap_or(grammar.folder);
        stage.copy_folder(&project.path(grammar.folder).join("src"), &format!("grammars/{name}/src"))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        stage.copy(&project.path(licence), licence)?;
    }
    stage.pack(&format!("promptblock.nvim-{version}"))
}

/// Unpacks the plugin as a user does and compiles the parsers from what is in it.
pub(crate) fn try_neovim(project: &Project) -> Result<()> {
    let archive = neovim(project, &version(project)?)?;
    let folder = project.dist().join("unpacked");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    project.run("tar").args(&["--extract", "--file"]).arg(archive).arg("--directory").arg(&folder).run()?;
    let tests = project.run("bash").arg(project.path("tests/neovim/run.sh")).args(&["parsers", "health"]);
    let tests = tests.env("PROMPTBLOCK", project.server()).env("PLUGIN", folder.join("promptblock.nvim"));
    tests.run()?;
    Ok(fs::remove_dir_all(&folder)?)
}

/// A folder that becomes an archive with that folder in it.
struct Stage<'a> {
    project: &'a Project,
    parent: PathBuf,
    name: String,
}

impl<'a> Stage<'a> {
    fn new(project: &'a Project, name: &str) -> Result<Self> {
        let parent = project.dist().join("stage");
        let folder = parent.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        Ok(Self { project, parent, name: name.to_owned() })
    }

    fn copy(&self, from: &Path, to: &str) -> Result<()> {
        let to = self.parent.join(&self.name).join(to);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from, &to).with_context(|| format!("copying {}", from.display()))?;
        Ok(())
    }

    /// Hidden files and generated help tags stay out.
    fn copy_folder(&self, from: &Path, to: &str) -> Result<()> {
        for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "tags" || name.starts_with("tags-") {
                continue;
            }
            let target = if to.is_empty() { name } else { format!("{to}/{name}") };
            if entry.file_type()?.is_dir() {
                self.copy_folder(&entry.path(), &target)?;
            } else {
                self.copy(&entry.path(), &target)?;
            }
        }
        Ok(())
    }

    fn pack(self, archive: &str) -> Result<PathBuf> {
        let file = self.project.dist().join(format!("{archive}.tar.gz"));
        let tar = self.project.run("tar").args(&["--create", "--gzip", "--owner=0", "--group=0", "--file"]);
        tar.arg(&file).arg("--directory").arg(&self.parent).arg(&self.name).run()?;
        fs::remove_dir_all(&self.parent)?;
        Ok(file)
    }
}
