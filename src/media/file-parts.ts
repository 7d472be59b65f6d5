import type { FileHandle } from 'node:fs/promises';

/** A part of a file that consists of parts: a box, an element, a chunk. */
export interface Part {
  readonly name: string;
  /** Positions of its content in the file: of the first byte, and after the last one. */
  readonly start: number;
  readonly end: number;
}

/** Reads the header of the part that starts at `position`, within `end`; null if there is none. */
export type ReadHeader = (bytes: Buffer, position: number, end: number) => Part | null;

/** What is done with the parts of a name. */
export type Visits = Readonly<Record<string, (part: Part) => Promise<void> | void>>;

/** The longest header of a part. */
const HEADER_BYTES = 16;
/** Bytes that are read at once: the headers of small parts lie beside each other. */
const WINDOW_BYTES = 4_096;
/** Parts that are read at most. A video in fragments of a second has two for each of them. */
const MAX_PARTS = 20_000;

/** Reads the parts of a file in ranges: never more of it than a window. */
export class FileParts {
  #window = { start: 0, bytes: Buffer.alloc(0) };
  #count = 0;

  constructor(
    private readonly file: FileHandle,
    readonly bytes: number,
  ) {}

  /** Whether the file has more parts than are read: then nothing is known of the others. */
  get isExhausted(): boolean {
    return this.#count > MAX_PARTS;
  }

  /** The bytes from a position: at most 4,096, and fewer at the end of the file. */
  async read(position: number, wanted: number): Promise<Buffer> {
    const { start, bytes } = this.#window;
    const length = Math.min(wanted, WINDOW_BYTES);
    const isInWindow = position >= start && position + length <= start + bytes.length;
    if (!isInWindow) {
      const window = Buffer.alloc(WINDOW_BYTES);
      const { bytesRead } = await this.file.read(window, 0, WINDOW_BYTES, position);
      this.#window = { start: position, bytes: window.subarray(0, bytesRead) };
    }
    const offset = position - this.#window.start;
    return this.#window.bytes.subarray(offset, offset + length);
  }

  /** The first `length` bytes of a part, filled with zeros if it is shorter. */
  async contentOf({ start, end }: Part, length: number): Promise<Buffer> {
    const content = Buffer.alloc(length);
    (await this.read(start, Math.max(0, Math.min(length, end - start)))).copy(content);
    return content;
  }

  /** Visits the parts between two positions in their order. */
  async visit(
    { start, end }: Pick<Part, 'start' | 'end'>,
    header: ReadHeader,
    visits: Visits,
  ): Promise<void> {
    let position = start;
    while (position < end && (this.#count += 1) <= MAX_PARTS) {
      const part = header(await this.read(position, HEADER_BYTES), position, end);
      // Every header has a length: the position grows.
      if (!part) return;
      await visits[part.name]?.(part);
      position = part.end;
    }
  }
}

/** A track of a video or sound file. */
export interface Track {
  readonly kind: 'picture' | 'sound';
  readonly codec: string | null;
  /** Of a picture, as a viewer sees it; null if the file does not say it. */
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly frameRate: number | null;
}

/** What a file says about its tracks. */
export interface Tracks {
  readonly tracks: readonly Track[];
  /** Null if the file does not say it. */
  readonly seconds: number | null;
}

/** Finite and more than zero, or null: files contain zeros for what they do not know. */
export const known = (value: number): number | null =>
  Number.isFinite(value) && value > 0 ? value : null;

/** No format has longer sides. */
const MAX_SIDE = 65_535;

/** A size whose sides are known, in whole pixels. */
export function knownSize(width: number, height: number): Track['size'] {
  const size = { width: Math.round(width), height: Math.round(height) };
  const isKnown = (side: number): boolean => known(side) !== null && side <= MAX_SIDE;
  return isKnown(size.width) && isKnown(size.height) ? size : null;
}
