import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');
export const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

/** The code in a language under a heading of the README. */
export function blocksOf(language: string, heading: string): string[] {
  const from = README.indexOf(`\n## ${heading}\n`);
  const section = README.slice(from, README.indexOf('\n## ', from + 1));
  return [...section.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, code]) => code!);
}
