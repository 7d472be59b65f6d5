import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');

/** Code blocks of a language in a guide, by default the one to client libraries. */
export const blocksOf = (language: string, guide = 'docs/clients.md'): string[] =>
  [
    ...readFileSync(path.join(ROOT, guide), 'utf8').matchAll(
      new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'),
    ),
  ].map(([, code]) => code!);
