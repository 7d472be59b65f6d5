import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');
const GUIDE = readFileSync(path.join(ROOT, 'docs/clients.md'), 'utf8');

/** Code blocks of a language in the guide to client libraries. */
export const blocksOf = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!);
