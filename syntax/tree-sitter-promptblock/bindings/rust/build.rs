//! Compiles the generated parser and the scanner.

fn main() {
    let src = std::path::Path::new("src");
    let mut build = cc::Build::new();
    build
        .std("c11")
        .include(src)
        // Nobody debugs generated code, and tests read megabytes with it.
        .opt_level(2)
        .flag_if_supported("-Wno-unused-parameter")
        .flag_if_supported("-Wno-unused-but-set-variable")
        .file(src.join("parser.c"))
        .file(src.join("scanner.c"));
    if build.get_compiler().is_like_msvc() {
        build.flag("-utf-8");
    }
    build.compile("tree-sitter-promptblock");
    println!("cargo:rerun-if-changed=src");
}
