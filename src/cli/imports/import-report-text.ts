import type { ImportReport, ItemCount } from '../../domain/imports/import-report.js';
import type { SkipReasons } from './import-sources.js';
import { toOneLine } from '../text-table.js';

type ReportLine = readonly [label: string, count: number, note?: string];
const MAX_FAILURES_SHOWN = 20;
const MAX_TITLES_SHOWN = 5;
const MAX_TITLE_CHARACTERS = 60;

/** Formats the result of an import as a table for the terminal. */
export function formatImportReport(
  report: ImportReport,
  seconds: number,
  reasons: SkipReasons,
): string {
  const { failed, malformed, stopped, jobId } = report;
  const lines = reportLines(report, reasons);
  const width = Math.max(...lines.map(([label]) => label.length));
  const digits = Math.max(...lines.map(([, count]) => String(count).length));
  return [
    ...lines.map(([label, count, note = '']) =>
      `${label.padEnd(width)}  ${String(count).padStart(digits)}  ${note}`.trimEnd(),
    ),
    ...failed
      .slice(0, MAX_FAILURES_SHOWN)
      .map(
        ({ title, sourceId, message }) => `failed: ${formatTitle(title)} (${sourceId}): ${message}`,
      ),
    ...(malformed
      ? [
          `Cannot read the file past line ${malformed.position.line}, column ${malformed.position.column} (byte ${malformed.position.byte}): ${malformed.reason}. Everything before this position was imported.`,
        ]
      : []),
    ...(stopped
      ? ['Stopped before the end of the file. Run the command again to import the rest.']
      : []),
    `${seconds.toFixed(1)} s, ${jobId}`,
  ].join('\n');
}

function reportLines(report: ImportReport, reasons: SkipReasons): ReportLine[] {
  const { importedByState, skipped, truncated } = report;
  const skippedCount = Object.values(skipped).reduce((sum, { count }) => sum + count, 0);
  const lines: ReportLine[] = [
    ['imported', report.importedCount],
    ...Object.entries(importedByState)
      .sort()
      .map(([state, count]): ReportLine => [`  ${state}`, count]),
    ['already imported', report.alreadyImported],
    ['skipped', skippedCount],
    ...Object.entries(skipped)
      .sort()
      .map(([reason, items]): ReportLine => [
        `  ${reason}`,
        items.count,
        `${reasons[reason]?.description} ${formatTitles(items)}`,
      ]),
    ['failed', report.failedCount],
  ];
  if (truncated.count > 0)
    lines.push([
      'truncated',
      truncated.count,
      `The text, title or excerpt exceeds the maximum length. The content blocks of an article keep the full text. ${formatTitles(truncated)}`,
    ]);
  if (report.omittedFiles > 0)
    lines.push([
      'omitted files',
      report.omittedFiles,
      'The media library is too large to track completely: posts may lack these media.',
    ]);
  return lines;
}

const formatTitles = ({ titles, count }: ItemCount): string =>
  titles.slice(0, MAX_TITLES_SHOWN).map(formatTitle).join(', ') +
  (count > MAX_TITLES_SHOWN ? ', …' : '');

/** A title, shortened; a URL is shown whole, because its end identifies the item. */
const formatTitle = (title: string): string => {
  const line = toOneLine(title);
  return `“${WEB_URL.test(line) ? line : [...line].slice(0, MAX_TITLE_CHARACTERS).join('')}”`;
};
const WEB_URL = /^https?:\/\/\S+$/i;
