import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');
const GUIDE = readFileSync(path.join(ROOT, 'docs/clients.md'), 'utf8');

/** The code in a language of the guide to clients. */
export const blocksOf = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!);
