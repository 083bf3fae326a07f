"""`promptblock tokens` counts what tiktoken counts: 200 texts in Chinese, English, code and emoji, and both vocabularies."""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import tiktoken

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EACH = 50
ENGLISH = {**os.environ, "LC_ALL": "C.UTF-8"}

# Written in sequences: with a skin, a joiner, a flag, a keycap, a variation selector, tags.
EMOJI = "😀 🎉 👍🏽 👩‍👩‍👧‍👦 🏳️‍🌈 🇨🇳🇩🇪 1️⃣ ❤️ ☎ 🧑🏿‍🚀 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🤦🏻‍♂️ 🐈‍⬛ ⏱️ 🀄 ♻".split()
WORDS = ["你好", "ok", "!", "，", "\n", " ", "  ", "é", "e\u0301", "12345", "/", "\t", "ﷺ", "नमस्ते", "안녕", "こんにちは", "don't", "\u3000", "\u200b"]


def content(text):
    """As a block holds it: without the blank lines around it and the last line's break."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while lines and not lines[0].strip(" \t"):
        lines.pop(0)
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    return "\n".join(lines)


def pieces(paths, chance):
    """Pieces of real files, of a length between one character and some thousand."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))
    count = 0
    while count < EACH:
        start = chance.randrange(len(text))
        piece = content(text[start : start + int(2 ** chance.uniform(0, 12))])
        if piece:
            count += 1
            yield piece


def texts():
    chance = random.Random(20)
    yield from pieces([ROOT / "README.zh-CN.md", *ROOT.glob("docs/*.zh-CN.md")], chance)
    yield from pieces([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs/diagnostics.md"], chance)
    yield from pieces([*ROOT.glob("crates/core/src/syntax/**/*.rs"), *ROOT.glob("editors/vscode/src/**/*.ts")], chance)
    for _ in range(EACH):
        words = [chance.choice(chance.choice([EMOJI, EMOJI, WORDS])) for _ in range(chance.randrange(1, 120))]
        # Begins and ends with what is no blank line.
        yield "".join([chance.choice(EMOJI), *words, chance.choice(EMOJI)])


def counted(folder, vocabulary):
    (folder / "promptblock.toml").write_text(f'vocabulary = "{vocabulary}"\n[budget]\ncontext = 0\n')
    binary = os.environ.get("PROMPTBLOCK", ROOT / "target/debug/promptblock")

    def output(*arguments):
        run = subprocess.run([binary, *arguments], cwd=folder, capture_output=True, check=False, env=ENGLISH)
        return json.loads(run.stdout)

    table = output("tokens", "--format", "json")
    found = output("check", "--format", "json")["diagnostics"]
    # The sum as the rule counts it, which goes another way: chunk by chunk.
    (message,) = [it["message"] for it in found if it["code"] == "over-budget"]
    total = int("".join(filter(str.isdigit, message.split(" tokens")[0])))
    return {block["id"]: block["tokens"] for block in table["blocks"]}, total


def main():
    wanted = list(texts())
    assert len(wanted) == 4 * EACH, len(wanted)
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for number, text in enumerate(wanted):
            header = f"---\nid: t:{number}\nzone: context\norder: {number}\n---\n"
            (folder / f"{number}.promptblock").write_bytes((header + text + "\n").encode())
        for vocabulary in ["o200k", "cl100k"]:
            encoding = tiktoken.get_encoding(f"{vocabulary}_base")
            counts, total = counted(folder, vocabulary)
            assert len(counts) == len(wanted), (len(counts), len(wanted))
            theirs = [len(encoding.encode_ordinary(text)) for text in wanted]
            for number, (text, count) in enumerate(zip(wanted, theirs)):
                if counts[f"t:{number}"] != count:
                    different += 1
                    print(f"{vocabulary}: tiktoken {count}, promptblock {counts[f't:{number}']}: {text!r}")
            if sum(theirs) != total:
                different += 1
                print(f"{vocabulary}: tiktoken {sum(theirs)}, the budget {total}")
            print(f"{vocabulary}: {len(wanted)} texts, {sum(theirs)} tokens, as tiktoken {tiktoken.__version__} counts them")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
