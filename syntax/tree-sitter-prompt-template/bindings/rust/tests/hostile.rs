//! Texts made to be slow to read. The time must grow with the length and no faster.

use std::time::{Duration, Instant};

use super::parser;

const PATTERNS: &[&str] = &[
    "{ ",
    "{ { {",
    "{x {x {x",
    "{if ",
    "{ if ",
    "{/if ",
    "{ / ",
    "{x \"",
    "{x '",
    "{x \"{y '",
    "{x ' \" {y \" ' ",
    "{x \"{x \" ",
    "{if \"",
    "{if '{if \"",
    "{if x == \"}",
    "}}}",
    "{{{",
    "{}",
    "{x}",
    "{if x}",
    "{/if}",
    "{if x}{/for}",
    "{for x in ",
    "{x \\",
    "{x.",
    "{x 1",
    "{repeat -1",
    "{else x ",
    "名",
    "{名",
    "\0",
    "{x\"",
    "{a 'b'",
    "\u{feff}",
];

fn time_to_parse(text: &[u8]) -> Duration {
    let mut parser = parser();
    let start = Instant::now();
    let tree = parser.parse(text, None).unwrap();
    let time = start.elapsed();
    assert!(!tree.root_node().has_error());
    time
}

/// One line each. What costs the square of the length takes minutes here; the bound is wide because
/// tests run on slow machines and without optimisation.
#[test]
fn a_long_line_is_read_in_linear_time() {
    const LENGTH: usize = 128 << 10;
    for pattern in PATTERNS {
        for opening in ["", "{x \"", "{if x == '"] {
            let text = format!("{opening}{}", pattern.repeat(LENGTH / pattern.len()));
            let time = time_to_parse(text.as_bytes());
            assert!(time < Duration::from_secs(5), "{opening:?} and {pattern:?}: {time:?}");
        }
    }
}

/// The figures, for a look: `cargo test --release -- --ignored --nocapture figures`.
#[test]
#[ignore = "prints figures and asserts nothing"]
fn figures() {
    for pattern in PATTERNS {
        let times = [1 << 18, 1 << 20]
            .map(|length: usize| time_to_parse(pattern.repeat(length / pattern.len()).as_bytes()));
        println!("{pattern:?}: 256 KiB, 1 MiB in {times:.1?}");
    }
}
