// Writes the vocabularies that the npm package js-tiktoken carries as the files that tiktoken would fetch from the network, under
// the names by which it looks for them. It holds what it finds there against its own hashes, so these are its own vocabularies,
// byte for byte.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
for (const name of ['o200k_base', 'cl100k_base']) {
  const { default: { bpe_ranks: packed } } = await import(`js-tiktoken/ranks/${name}`);
  const lines = packed.split('\n').filter(Boolean).flatMap((line) => {
    const [, first, ...tokens] = line.split(' ');
    return tokens.map((token, at) => [Number(first) + at, token]);
  });
  lines.sort(([a], [b]) => a - b);
  const address = `https://openaipublic.blob.core.windows.net/encodings/${name}.tiktoken`;
  const key = createHash('sha1').update(address).digest('hex');
  writeFileSync(join(folder, key), lines.map(([rank, token]) => `${token} ${rank}\n`).join(''));
}
