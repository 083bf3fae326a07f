// The bodies of `promptblock assemble --as openai` and `--as anthropic` are what the providers' own packages take: checked by tsc
// against their types, and by the rules of their APIs that types do not tell. Hostile projects among them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const binary = process.env.PROMPTBLOCK ?? join(here, '../../target/debug/promptblock');
const work = mkdtempSync(join(tmpdir(), 'promptblock-bodies-'));

const block = (id, zone, order, body, more = '') =>
  `---\nid: "${id}"\nzone: ${zone}\norder: ${order}\n${more}template: true\n---\n${body}\n`;
const input = { 'i.promptblock': block('t:i', 'input', 0, '<{prompt}>') };
const usual = {
  'a.promptblock': block('t:a', 'system', 1, 'I am {hero}.'),
  'b.promptblock': block('t:b', 'system', 85, '你好 👩‍👩‍👧 "quoted" \\ back', 'role: user\n'),
  'c.promptblock': block('t:c', 'system', 86, 'Hello.', 'role: assistant\n'),
  'd.promptblock': block('t:d', 'context', 1, 'first'),
  'e.promptblock': block('t:e', 'context', 2, 'second'),
  ...input,
};
const placed = { 'promptblock.toml': 'context_placement = "input"\n' };
const tools = { 'promptblock.tools.json': '[{"name": "read", "description": "Reads.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}, {"name": "list"}]' };
const many = (count) => Object.fromEntries(Array.from({ length: count }, (_, n) =>
  [`m${n}.promptblock`, block(`t:m${n}`, 'system', n, `text ${n}`, n % 3 ? `role: ${n % 2 ? 'user' : 'assistant'}\n` : '')]));

// Name, files, more arguments, whether there is a stable prefix.
const projects = [
  ['usual', usual, [], true],
  ['with input', usual, ['--input', 'How are you?'], true],
  ['an empty input', usual, ['--input', ''], true],
  ['a blank input', usual, ['--input', ' \n\t'], true],
  ['contexts in the input', { ...usual, ...placed }, ['--input', 'x'], true],
  ['no blocks', {}, [], false],
  ['no blocks, an empty input', {}, ['--input', ''], false],
  ['contexts alone', { 'd.promptblock': usual['d.promptblock'] }, [], false],
  ['contexts alone, in the input', { 'd.promptblock': usual['d.promptblock'], ...placed }, ['--input', ''], false],
  ['system alone', { 'a.promptblock': usual['a.promptblock'] }, ['--input', ''], true],
  ['an assistant begins', { 'c.promptblock': usual['c.promptblock'] }, [], true],
  ['an assistant begins and nobody answers', { 'c.promptblock': usual['c.promptblock'] }, ['--input', ''], true],
  ['two assistants', { 'c.promptblock': usual['c.promptblock'], 'd.promptblock': block('t:d', 'system', 87, 'Again.', 'role: assistant\n') }, [], true],
  ['blank texts', { 'a.promptblock': block('t:a', 'system', 1, '{if no}x{/if}'), 'b.promptblock': block('t:b', 'system', 2, ' \t', 'role: assistant\n'), 'c.promptblock': block('t:c', 'context', 1, '\n\n') }, ['--input', ' '], false],
  ['a text of wide blanks', { 'a.promptblock': block('t:a', 'system', 1, '\u3000'), 'b.promptblock': block('t:b', 'system', 85, '\u00a0', 'role: assistant\n') }, [], false],
  ['the prelude ends in wide blanks', { ...usual, 'f.promptblock': block('t:f', 'system', 87, '\u3000', 'role: user\n') }, [], true],
  ['many', many(60), [], true],
  ['an exclusive block', { ...usual, 'x.promptblock': block('t:x', 'system', 3, 'Only this.', 'complete: true\n') }, [], true],
  ['script-like texts', { 'a.promptblock': block('</script>`${x}`', 'system', 1, '*/ `${process.exit(1)}` \u2028 </script> {{hero}}') }, [], true],
  ['tools', { ...usual, ...tools }, [], true],
  ['zcode', { ...usual, ...tools, 'promptblock.toml': 'profile = "zcode"\n', 'f.promptblock': block('t:f', 'system', 2, 'now', 'cache: dynamic\n') }, ['--input', 'x'], true],
  ['zcode with nothing to say last', { ...usual, 'promptblock.toml': 'profile = "zcode"\n' }, ['--input', ' '], true],
  ['harness', { 'promptblock.toml': 'profile = "harness"\n', 'a.promptblock': '---\nid: t:a\nzone: system\norder: 1\n---\nI am {{hero}}.\n', 'b.promptblock': '---\nid: t:b\nzone: context\norder: 1\n---\nnow\n' }, ['--input', 'x'], true],
  ['pinned', { ...usual, 'promptblock.env.json': '{"a": {"hero": "Ada"}, "b": {"hero": "Bob"}}' }, ['--env', 'a', '--then', 'b'], true],
];

function assembled(folder, form, more) {
  const run = spawnSync(binary, ['assemble', folder, '--as', form, ...more], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  // Status 1 says that blocks have errors; the body is printed all the same.
  assert.ok(run.status === 0 || run.status === 1, `${folder}: ${run.status} ${run.stderr}`);
  return JSON.parse(run.stdout);
}

function checkOpenai(name, body) {
  assert.ok(body.messages.length > 0 || name.includes('empty') || name.includes('blank'), name);
  for (const message of body.messages) assert.notEqual(message.content, '', name);
  assert.ok([...body.prompt_cache_key].length <= 64, name);
}

function checkAnthropic(name, body, prefix, hasPrefix) {
  const system = body.system ?? [];
  const turns = body.messages.flatMap((turn) => turn.content);
  const all = [...system, ...turns];
  for (const part of all) assert.ok(part.text.trim() !== '', `${name}: an empty text is refused`);
  const marked = all.flatMap((part, at) => (part.cache_control ? [at] : []));
  assert.ok(marked.length <= 4, `${name}: ${marked.length} marks`);
  // The system messages and the last of all in zcode, else the end of the stable prefix.
  if (!name.startsWith('zcode')) assert.equal(marked.length, hasPrefix ? 1 : 0, `${name}: marks`);
  if (name === 'zcode') assert.deepEqual(marked, [0, 1, all.length - 1], name);
  if (name.includes('tools')) assert.deepEqual(body.tools.map((tool) => tool.name), ['list', 'read'], name);
  assert.ok(body.messages.length > 0, `${name}: at least one message`);
  body.messages.forEach((turn, at) =>
    assert.equal(turn.role, at % 2 ? 'assistant' : 'user', `${name}: turns begin with the user and take turns`));
  assert.equal(body.messages.at(-1).role, 'user', `${name}: an assistant's last word would be a prefill`);
  if (!hasPrefix || name.startsWith('zcode')) return;
  // The mark stands on the last text of the stable prefix: all of that up to it, nothing else.
  const upTo = all.slice(0, marked[0] + 1).map((part) => part.text).filter((text) => text !== '…');
  assert.deepEqual(upTo, prefix, `${name}: the mark ends the prefix`);
}

const lines = ["import type OpenAI from 'openai';", "import type Anthropic from '@anthropic-ai/sdk';"];
try {
  projects.forEach(([name, files, more, hasPrefix], number) => {
    const folder = join(work, `p${number}`);
    mkdirSync(folder);
    const settings = {
      'promptblock.toml': '',
      'promptblock.catalog.json': '{"variables": {"hero": {}, "no": {"type": "boolean"}}}',
      'promptblock.env.json': '{"a": {"hero": "Ada", "no": false}}',
    };
    for (const [path, text] of Object.entries({ ...settings, ...files })) writeFileSync(join(folder, path), text);
    const openai = assembled(folder, 'openai', more);
    const anthropic = assembled(folder, 'anthropic', more);
    const json = assembled(folder, 'json', more);
    const { system, prelude } = json.then ?? json;
    const prefix = [system, ...prelude.map((part) => part.text)].filter((text) => text.trim() !== '');
    checkOpenai(name, openai);
    checkAnthropic(name, anthropic, prefix, hasPrefix);
    lines.push(`export const o${number}: OpenAI.ChatCompletionCreateParamsNonStreaming = ${JSON.stringify(openai)};`);
    lines.push(`export const a${number}: Anthropic.MessageCreateParamsNonStreaming = ${JSON.stringify(anthropic)};`);
  });
  // What the types must refuse, so that it is seen that they are asked at all.
  lines.push('// @ts-expect-error', `export const x: OpenAI.ChatCompletionCreateParamsNonStreaming = {model: "m", messages: [{role: "robot", content: "x"}]};`);
  lines.push('// @ts-expect-error', `export const y: Anthropic.MessageCreateParamsNonStreaming = {model: "m", max_tokens: 1, messages: [{role: "user", content: [{type: "text", text: "x", cache_control: {type: "forever"}}]}]};`);

  const source = join(here, 'node_modules/.bodies');
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'bodies.ts'), `${lines.join('\n')}\n`);
  writeFileSync(join(source, 'package.json'), '{"type": "module"}\n');
  const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', skipLibCheck: true, lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  writeFileSync(join(source, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['bodies.ts'] }));
  execFileSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '-p', source], { stdio: 'inherit' });
  console.log(`${projects.length} projects: the bodies are what openai and @anthropic-ai/sdk take`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
