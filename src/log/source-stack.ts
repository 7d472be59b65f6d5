import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A position in a file of the bundle, as in the frames of a stack. */
const POSITION = /(file:\/\/\/\S+?\.js):(\d+):(\d+)/g;
/** Sources in a map are relative to it. */
const PARENT_FOLDERS = /^(\.\.\/)+/;

const maps = new Map<string, SourceMap>();

/** Null for files without a map, such as those of Node.js. */
function sourceMapOf(url: string): SourceMap | null {
  const known = maps.get(url);
  if (known) return known;
  try {
    const text = readFileSync(`${fileURLToPath(url)}.map`, 'utf8');
    const map = new SourceMap(JSON.parse(text) as SourceMapPayload);
    maps.set(url, map);
    return map;
  } catch {
    return null;
  }
}

/**
 * Replaces positions in the bundle by positions in its sources, for example
 * `src/services/posts/posts.ts:12:5`. Reads a source map when a stack first contains its file;
 * Node's `--enable-source-maps` would read all maps at startup.
 */
export const toSourceStack = (stack: string): string =>
  stack.replace(POSITION, (position, url: string, line: string, column: string) => {
    const entry = sourceMapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    return entry && 'originalSource' in entry
      ? `${entry.originalSource.replace(PARENT_FOLDERS, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
      : position;
  });

/** Makes Node.js print source positions when an uncaught error ends the process. */
export function printSourcePositionsOfCrashes(): void {
  process.on('uncaughtExceptionMonitor', (error) => {
    if (error instanceof Error && error.stack) error.stack = toSourceStack(error.stack);
  });
}
