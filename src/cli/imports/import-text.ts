import type { ImportReport, ItemCount } from '../../domain/imports/import-report.js';
import type { SkipMeanings } from './import-sources.js';
import { onOneLine } from '../table.js';

type Line = readonly [label: string, count: number, note?: string];
const MOST_FAILURES_SHOWN = 20;
const WIDEST_TITLE = 60;

/** What an import did, as a table for people. */
export function reportText(report: ImportReport, seconds: number, reasons: SkipMeanings): string {
  const {
    taken,
    takenCount,
    alreadyThere,
    skipped,
    shortened,
    failed,
    failedCount,
    forgottenFiles,
    malformed,
    stopped,
    jobId,
  } = report;
  const skippedCount = Object.values(skipped).reduce((sum, { count }) => sum + count, 0);
  const lines: Line[] = [
    ['taken', takenCount],
    ...Object.entries(taken)
      .sort()
      .map(([state, count]): Line => [`  ${state}`, count]),
    ['already there', alreadyThere],
    ['skipped', skippedCount],
    ...Object.entries(skipped)
      .sort()
      .map(([reason, items]): Line => [
        `  ${reason}`,
        items.count,
        `${reasons[reason]?.meaning} ${titlesOf(items)}`,
      ]),
    ['failed', failedCount],
    ...(shortened.count > 0
      ? [
          [
            'shortened',
            shortened.count,
            `Longer than a text, title or excerpt may be; an article’s content blocks have all of the text. ${titlesOf(shortened)}`,
          ] as const,
        ]
      : []),
    ...(forgottenFiles > 0
      ? [
          [
            'files forgotten',
            forgottenFiles,
            'The library is larger than can be remembered: posts may miss these media.',
          ] as const,
        ]
      : []),
  ];
  const width = Math.max(...lines.map(([label]) => label.length));
  const digits = Math.max(...lines.map(([, count]) => String(count).length));
  return [
    ...lines.map(([label, count, note = '']) =>
      `${label.padEnd(width)}  ${String(count).padStart(digits)}  ${note}`.trimEnd(),
    ),
    ...failed
      .slice(0, MOST_FAILURES_SHOWN)
      .map(({ title, sourceId, message }) => `failed: ${shown(title)} (${sourceId}): ${message}`),
    ...(malformed
      ? [
          `The file cannot be read on from line ${malformed.position.line}, column ${malformed.position.column} (byte ${malformed.position.byte}): ${malformed.reason}. What stands before it is imported.`,
        ]
      : []),
    ...(stopped ? ['Stopped before the end. Start it again to take the rest.'] : []),
    `${seconds.toFixed(1)} s, ${jobId}`,
  ].join('\n');
}

const titlesOf = ({ titles, count }: ItemCount): string =>
  titles.map(shown).join(', ') + (count > titles.length ? ', …' : '');

const shown = (title: string): string =>
  `“${[...onOneLine(title)].slice(0, WIDEST_TITLE).join('')}”`;
