//! `cargo xtask try`: from a fresh checkout to squiggles on the screen.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;

use anyhow::{Result, bail, ensure};

use crate::dist;
use crate::tools::{Project, on_path};

/// The file to open first: the mistake that everything here began with.
const FIRST: &str = "examples/mistakes/blocks/clock-in-system.promptblock";

pub(crate) fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let wanted = match arguments {
        [] => None,
        [one @ ("code" | "nvim" | "print")] => Some(*one),
        _ => bail!("cargo xtask try [code|nvim|print]"),
    };
    ensure!(project.path(FIRST).is_file(), "{FIRST} is missing");
    println!("building the server (the first time this takes some minutes)");
    project.build_server()?;

    if wanted == Some("print") || !(stdin().is_terminal() && stdout().is_terminal()) {
        return print_findings(project);
    }
    if let Some(code) = on_path("code").filter(|_| wanted != Some("nvim")) {
        match open_code(project, code) {
            Ok(()) => return Ok(()),
            Err(error) if wanted.is_none() => {
                println!("VS Code did not work ({error:#}), looking for Neovim")
            }
            Err(error) => return Err(error),
        }
    }
    if let Some(nvim) = on_path("nvim").filter(|_| wanted != Some("code")) {
        return open_neovim(project, nvim);
    }
    match wanted {
        Some(editor) => bail!("{editor} is not on the PATH"),
        None => print_findings(project),
    }
}

fn open_code(project: &Project, code: PathBuf) -> Result<()> {
    let extension = dist::vsix(project)?;
    project.run(&code).args(&["--install-extension"]).arg(extension).args(&["--force"]).run()?;
    let opened = project
        .run(&code)
        .arg("--new-window")
        .arg(project.path("examples"))
        .arg("--goto")
        .arg(project.path(FIRST))
        .interact()?;
    ensure!(opened.success(), "code: {opened}");
    println!("VS Code is open on examples/. The extension stays installed; remove it with");
    println!("  code --uninstall-extension promptblock.promptblock");
    Ok(())
}

/// With the plugin and nothing of the user's own, so that what is seen is what the plugin does.
fn open_neovim(project: &Project, nvim: PathBuf) -> Result<()> {
    println!("Neovim opens on examples/, with the plugin and without your own configuration.");
    let plugin = project.path("editors/neovim");
    let server = project.server();
    // Handed over by environment: a path may hold what would need quoting in Vim script or Lua.
    let settings = "lua vim.diagnostic.config({ virtual_text = true }) \
        require('promptblock').setup({ cmd = { vim.env.PROMPTBLOCK_SERVER, 'lsp' }, completion = true })";
    let status = project
        .run(nvim)
        .args(&["--clean", "-n", "--cmd", "let &runtimepath = $PROMPTBLOCK_PLUGIN .. ',' .. &runtimepath"])
        .args(&["--cmd", settings])
        .arg(project.path(FIRST))
        .dir(&project.path("examples"))
        .env("PROMPTBLOCK_PLUGIN", plugin)
        .env("PROMPTBLOCK_SERVER", server)
        .interact()?;
    ensure!(status.success(), "nvim: {status}");
    Ok(())
}

fn print_findings(project: &Project) -> Result<()> {
    let examples = project.path("examples");
    println!("\n$ promptblock check examples/mistakes\n");
    // It finds errors, so it ends with 1; that is what it is here for. 2 would be a fault.
    let check = project.run(project.server()).args(&["check", "--fail-on", "never"]);
    check.arg(examples.join("mistakes")).run()?;
    println!();
    println!("These are the mistakes of the second example; the first, examples/chat-bot, has none.");
    println!("To see them while you type:");
    println!("  VS Code   cargo xtask try code   (at a terminal, with `code` on the PATH)");
    println!("  Neovim    cargo xtask try nvim   (at a terminal, with `nvim` on the PATH)");
    println!("  others    editors/*.md; any LSP client can run `promptblock lsp`");
    println!("What a code means: {} explain mutable-in-system", project.server().display());
    Ok(())
}
