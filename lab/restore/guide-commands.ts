import { readFileSync } from 'node:fs';
import path from 'node:path';

const DOCS = path.resolve(__dirname, '../../docs');

/**
 * The shell commands of a section of a guide, one text for each code block, with replacements of
 * what the guide leaves to its readers.
 * @throws Error if the section does not contain one of the replaced texts
 */
export function guideCommands(
  page: string,
  heading: string,
  replacements: Readonly<Record<string, string>>,
): string[] {
  const text = readFileSync(path.join(DOCS, page), 'utf8');
  const section = text.split(`\n${heading}\n`)[1]?.split(/^##+ /m, 1)[0] ?? '';
  let blocks = [...section.matchAll(/^```sh[^\n]*\n(.*?)^```$/gms)].map(([, block]) => block!);
  for (const [from, to] of Object.entries(replacements)) {
    if (!blocks.some((block) => block.includes(from)))
      throw new Error(`${page} does not contain ${from} in the commands under ${heading}`);
    blocks = blocks.map((block) => block.replaceAll(from, to));
  }
  return blocks;
}

/** Settings of postgresql.conf in the comments of a block, such as `#   archive_mode = on`. */
export const settingsIn = (block: string): string[] =>
  [...block.matchAll(/^#\s+(\w+ = .+)$/gm)].map(([, setting]) => setting!);

/** The commands of a block before those of Posts Gateway, and the arguments of those. */
export function splitCommands(block: string): { shell: string; gateway: string[][] } {
  const lines = block.split('\n');
  const isOfGateway = (line: string): boolean => line.startsWith('npx posts-gateway ');
  return {
    shell: lines.filter((line) => !isOfGateway(line)).join('\n'),
    gateway: lines.filter(isOfGateway).map((line) =>
      line
        .replace(/\s+#.*$/, '')
        .split(' ')
        .slice(2),
    ),
  };
}
