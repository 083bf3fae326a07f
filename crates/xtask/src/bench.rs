//! `cargo xtask bench`: the benchmarks, and their figures as one Markdown table to keep in
//! `docs/benchmarks.md`.

use anyhow::{Result, ensure};

use crate::tools::Project;

pub(crate) fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    // The server's benchmark starts the real binary.
    let (built, success) =
        project.cargo(&["build", "--release", "--package", "promptblock", "--locked"]).output()?;
    ensure!(success, "the server cannot be built\n{built}");
    let (output, success) =
        project.cargo(&["bench", "--workspace", "--benches", "--locked"]).args(arguments).output()?;
    println!("{output}");
    ensure!(success, "cargo bench failed");
    let rows = rows(&output);
    ensure!(!rows.is_empty(), "no benchmark ran");
    println!("| benchmark | fastest | median | samples |\n|---|---|---|---|");
    for row in rows {
        println!("| {} | {} | {} | {} |", row.name, row.fastest, row.median, row.samples);
    }
    let (compiler, _) = project.run("rustc").args(&["--version"]).output()?;
    println!("\n{}, {}", processor(), compiler.trim());
    Ok(())
}

fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{}, {cores} cores", model.unwrap_or(std::env::consts::ARCH))
}

#[derive(Debug, PartialEq)]
struct Row {
    name: String,
    fastest: String,
    median: String,
    samples: String,
}

/// Reads divan's tree: a line is a branch with a name and, if it was measured, columns divided by `│`.
fn rows(output: &str) -> Vec<Row> {
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut rows = Vec::new();
    for line in output.lines() {
        let Some(at) = line.find("├─ ").or_else(|| line.find("╰─ ")) else {
            continue;
        };
        let depth = line[..at].chars().count();
        let mut cells = line[at..].trim_start_matches(['├', '╰', '─', ' ']).split('│').map(str::trim);
        let first = cells.next().unwrap_or_default();
        let (name, fastest) = first.split_once("  ").unwrap_or((first, ""));
        path.retain(|(above, _)| *above < depth);
        path.push((depth, name.to_owned()));
        let cells: Vec<&str> = cells.collect();
        if let [_slowest, median, _mean, samples, ..] = cells[..]
            && !median.is_empty()
        {
            rows.push(Row {
                name: path.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" / "),
                fastest: fastest.trim().to_owned(),
                median: median.to_owned(),
                samples: samples.to_owned(),
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_benchmarks_becomes_rows() {
        let output = "\
Timer precision: 20 ns
edit            fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ keystroke                  │               │               │               │         │
│  ├─ 4096      1.2 µs        │ 3 µs          │ 1.3 µs        │ 1.4 µs        │ 100     │ 100
│  ╰─ 65536     1.3 µs        │ 3 µs          │ 1.4 µs        │ 1.4 µs        │ 100     │ 100
╰─ parse        2 ms          │ 3 ms          │ 2.5 ms        │ 2.6 ms        │ 50      │ 50
";
        let row = |name: &str, fastest: &str, median: &str, samples: &str| Row {
            name: name.to_owned(),
            fastest: fastest.to_owned(),
            median: median.to_owned(),
            samples: samples.to_owned(),
        };
        let want = [
            row("keystroke / 4096", "1.2 µs", "1.3 µs", "100"),
            row("keystroke / 65536", "1.3 µs", "1.4 µs", "100"),
            row("parse", "2 ms", "2.5 ms", "50"),
        ];
        assert_eq!(rows(output), want);
    }
}
