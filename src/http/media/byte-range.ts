import type { ByteRange } from '../../services/media/media-ports.js';

/**
 * Reads a Range header. Null for the whole file: without the header, and for forms that may be
 * ignored, such as several ranges. `unsatisfiable` if the file has none of the bytes.
 */
export function readRange(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, start, end] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (start === undefined || end === undefined || start + end === '') return null;
  const isSuffix = start === '';
  const first = isSuffix ? Math.max(bytes - Number(end), 0) : Number(start);
  const last = isSuffix || end === '' ? bytes - 1 : Math.min(Number(end), bytes - 1);
  if (!isSuffix && end !== '' && Number(end) < first) return null; // malformed
  return first <= last && first < bytes ? { first, last } : 'unsatisfiable';
}
