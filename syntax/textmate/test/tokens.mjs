// Reads files with the grammar, in the library that VS Code uses, together with the YAML and Markdown
// grammars that VS Code's own come from.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));

const FILES = {
  "source.promptblock": new URL("../promptblock.tmLanguage.json", import.meta.url),
  "source.yaml": new URL("../node_modules/tm-grammars/grammars/yaml.json", import.meta.url),
  "text.html.markdown": new URL("../node_modules/tm-grammars/grammars/markdown.json", import.meta.url),
};

const registry = new textmate.Registry({
  onigLib: oniguruma.loadWASM(wasm).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  })),
  loadGrammar: async (scope) => (FILES[scope] ? JSON.parse(readFileSync(FILES[scope], "utf8")) : null),
});

const grammar = await registry.loadGrammar("source.promptblock");

/**
 * The tokens of a text: `{line, start, text, scopes}`. Lines end as VS Code ends them; with `keepReturns` a
 * CR stays on its line, as in editors that split at LF only.
 */
export function tokens(text, { keepReturns = false } = {}) {
  let state = textmate.INITIAL;
  return text.split(keepReturns ? "\n" : /\r\n|\n|\r/).flatMap((line, number) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens
      .map((token) => ({
        line: number,
        start: token.startIndex,
        text: line.slice(token.startIndex, token.endIndex),
        scopes: token.scopes.slice(1),
      }))
      .filter((token) => token.text !== "");
  });
}

/** The tokens of a template's body, each as its text and its innermost scope of this grammar, if it has one. */
export function ofTemplate(body) {
  const header = "---\nid: t:a\ntemplate: true\n---\n";
  return tokens(header + body)
    .filter((token) => token.line > 3)
    .map((token) => {
      const own = token.scopes.filter((scope) => scope.endsWith(".promptblock"));
      const innermost = own.findLast((scope) => !scope.startsWith("meta."));
      return innermost ? `${token.text} ${innermost.replace(/\.promptblock$/, "")}` : null;
    })
    .filter((token) => token !== null);
}
