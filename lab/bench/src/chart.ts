import type { Measurement } from './measure.js';
import { OPERATIONS } from './operations.js';
import { medianOf } from './results.js';
import { PRODUCT, SERVERS } from './servers.js';

const WIDTH = 860;
const MARGIN = 20;
const NAMES = 110;
const FIGURES = 80;
const BAR = 14;
const LINE = 20;
const GAP = 34;

/** Colors for a light and a dark page. */
const STYLE = `text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-weight: 600; font-size: 13px } .note { fill: #59636e; font-size: 11px }
.peer { fill: #9aa4b2 } .ours { fill: #0969da } .floor { fill: none; stroke: #9aa4b2; stroke-dasharray: 3 2 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #9198a1 } .peer { fill: #57606a } .ours { fill: #4493f8 } .floor { stroke: #768390 } }`;

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const text = (x: number, y: number, content: string, style = '', anchor = 'start'): string =>
  `<text x="${x}" y="${y}"${style && ` class="${style}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(content)}</text>`;

/** One operation: a bar for each server. The longest measurement has the full width. */
function group(
  measurements: readonly Measurement[],
  { name, title }: { name: string; title: string },
  top: number,
): { svg: string; height: number } {
  const bars = SERVERS.flatMap(({ name: server }) => medianOf(measurements, server, name) ?? []);
  const maxPerSecond = Math.max(...bars.map((measurement) => measurement.perSecond));
  const maxWidth = WIDTH - 2 * MARGIN - NAMES - FIGURES;
  const rows = bars.map(({ server, perSecond }, index) => {
    const y = top + 12 + index * LINE;
    const style = server === PRODUCT ? 'ours' : server === 'floor' ? 'floor' : 'peer';
    const width = Math.max(1, (perSecond / maxPerSecond) * maxWidth);
    const figure = Math.round(perSecond).toLocaleString('en');
    return (
      text(MARGIN + NAMES - 8, y + BAR - 3, server, '', 'end') +
      `<rect x="${MARGIN + NAMES}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2" class="${style}"/>` +
      text(MARGIN + NAMES + width + 6, y + BAR - 3, figure)
    );
  });
  return {
    svg: text(MARGIN, top, `${name}: ${title}`, 'title') + rows.join(''),
    height: 12 + bars.length * LINE + GAP,
  };
}

/** Requests per second of every operation and server, as SVG. */
export function chartOf(measurements: readonly Measurement[], context: string): string {
  const operations = OPERATIONS.filter(
    ({ name, isVariant }) =>
      !isVariant && measurements.some((measurement) => measurement.operation === name),
  );
  let top = 60;
  const groups = operations.map((operation) => {
    const { svg, height } = group(measurements, operation, top);
    top += height;
    return svg;
  });
  const notes = context
    .split('\n')
    .map((line, index) => text(MARGIN, top + index * 15, line, 'note'));
  const height = top + notes.length * 15 + 6;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Requests per second of each server">
<style>${STYLE}</style>
${text(MARGIN, 28, 'Requests per second, more is better', 'title')}
${groups.join('\n')}
${notes.join('\n')}
</svg>
`;
}
