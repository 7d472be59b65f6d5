/** Size of a video in pixels (multiples of 16), and how long it shows each frame. */
interface VideoFormat {
  readonly width: number;
  readonly height: number;
  readonly frameMs: number;
}

/** Writes the bits of H.264 (ISO/IEC 14496-10, 7.2 and 9.1) to at most `capacity` bytes. */
class BitWriter {
  private readonly bytes: Buffer;
  private length = 0;
  private current = 0;
  private free = 8;

  constructor(capacity = 64) {
    this.bytes = Buffer.alloc(capacity);
  }

  bits(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit -= 1) {
      this.current |= ((value >> bit) & 1) << (this.free -= 1);
      if (this.free === 0) this.push();
    }
    return this;
  }

  /** Exponential-Golomb codes. */
  codes(...values: readonly number[]): this {
    for (const value of values) {
      const length = Math.floor(Math.log2(value + 1));
      this.bits(0, length).bits(value + 1, length + 1);
    }
    return this;
  }

  align(): this {
    if (this.free < 8) this.push();
    return this;
  }

  raw(values: Uint8Array): this {
    this.bytes.set(values, this.length);
    this.length += values.length;
    return this;
  }

  /** A unit of the given type, with its stop bit and without start codes in its content. */
  unit(header: number): Buffer {
    this.bits(1, 1).align();
    const escaped = Buffer.alloc(1 + Math.ceil(this.length * 1.5));
    escaped[0] = header;
    let end = 1;
    let zeros = 0;
    for (const byte of this.bytes.subarray(0, this.length)) {
      if (zeros === 2 && byte <= 3) {
        escaped[end++] = 3;
        zeros = 0;
      }
      escaped[end++] = byte;
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    return escaped.subarray(0, end);
  }

  private push(): void {
    this.bytes[this.length++] = this.current;
    this.current = 0;
    this.free = 8;
  }
}

/** Sequence parameters: Constrained Baseline, level 3.0, order of output as decoded. */
const sequenceParameters = ({ width, height }: VideoFormat): Buffer =>
  new BitWriter()
    .bits(0x42c01e, 24)
    .codes(0, 0, 2, 0)
    .bits(0, 1)
    .codes(width / 16 - 1, height / 16 - 1)
    .bits(0b1100, 4)
    .unit(0x67);

/** Picture parameters: CAVLC, one slice, with the deblocking filter under control of the slice. */
const pictureParameters = (): Buffer =>
  new BitWriter()
    .codes(0, 0)
    .bits(0, 2)
    .codes(0, 0, 0)
    .bits(0, 3)
    .codes(0, 0, 0)
    .bits(0b100, 3)
    .unit(0x68);

/** The luma of a pixel, and what it adds to the chroma of its block (BT.601). */
const toYuv = (r: number, g: number, b: number): readonly [number, number, number] => [
  16 + 0.257 * r + 0.504 * g + 0.098 * b,
  128 - 0.148 * r - 0.291 * g + 0.439 * b,
  128 + 0.439 * r - 0.368 * g - 0.071 * b,
];

/** The samples of a macroblock of 16 × 16 pixels: luma, and two of chroma at half the size. */
function macroblock(
  rgb: Uint8Array,
  width: number,
  [left, top]: readonly [number, number],
): Uint8Array {
  const samples = new Uint8Array(384);
  for (let y = 0; y < 16; y += 1)
    for (let x = 0; x < 16; x += 1) {
      const at = ((top + y) * width + left + x) * 3;
      const [luma, cb, cr] = toYuv(rgb[at]!, rgb[at + 1]!, rgb[at + 2]!);
      samples[y * 16 + x] = luma;
      const block = (y >> 1) * 8 + (x >> 1);
      samples[256 + block] = cb;
      samples[320 + block] = cr;
    }
  return samples;
}

/** A picture of uncompressed macroblocks (I_PCM), which every decoder reads. */
function picture(rgb: Uint8Array, { width, height }: VideoFormat, index: number): Buffer {
  const macroblocks = (width / 16) * (height / 16);
  const writer = new BitWriter(64 + macroblocks * (384 + 2))
    .codes(0, 7, 0)
    .bits(0, 4)
    .codes(index % 2)
    .bits(0, 2)
    .codes(0, 1);
  for (let top = 0; top < height; top += 16)
    for (let left = 0; left < width; left += 16)
      writer
        .codes(25)
        .align()
        .raw(macroblock(rgb, width, [left, top]));
  return writer.unit(0x65);
}

const u16 = (...values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32BE(value >>> 0, index * 4));
  return buffer;
};
const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
};

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const sized = (unit: Buffer): Buffer => Buffer.concat([u16(unit.length), unit]);

/** Describes the samples, which begin at `offset` of the file (ISO/IEC 14496-12 and -15). */
function movie(samples: readonly Buffer[], format: VideoFormat, offset: number): Buffer {
  const { width, height, frameMs } = format;
  const duration = samples.length * frameMs;
  const [sps, pps] = [sequenceParameters(format), pictureParameters()];
  const avcC = box(
    'avcC',
    Buffer.from([1, 0x42, 0xc0, 0x1e, 0xff, 0xe1]),
    sized(sps),
    Buffer.from([1]),
    sized(pps),
  );
  const entry = box(
    'avc1',
    u16(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    avcC,
  );
  const tables = box(
    'stbl',
    box('stsd', u32(0, 1), entry),
    box('stts', u32(0, 1, samples.length, frameMs)),
    box('stsc', u32(0, 1, 1, samples.length, 1)),
    box('stsz', u32(0, 0, samples.length, ...samples.map(({ length }) => length))),
    box('stco', u32(0, 1, offset)),
  );
  const media = box(
    'mdia',
    box('mdhd', u32(0, 0, 0, 1000, duration), u16(0x55c4, 0)),
    box('hdlr', u32(0, 0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from([0])),
    box(
      'minf',
      box('vmhd', u32(1, 0, 0)),
      box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))),
      tables,
    ),
  );
  const track = box(
    'trak',
    box(
      'tkhd',
      u32(3, 0, 0, 1, 0, duration, 0, 0),
      u16(0, 0, 0, 0),
      MATRIX,
      u32(width << 16, height << 16),
    ),
    media,
  );
  const header = box(
    'mvhd',
    u32(0, 0, 0, 1000, duration, 0x10000),
    u16(0x100, 0),
    u32(0, 0),
    MATRIX,
    u32(0, 0, 0, 0, 0, 0, 2),
  );
  return box('moov', header, track);
}

/** Encodes pictures of RGB pixels as an MP4 file of H.264 without compression. */
export function encodeVideo(pictures: readonly Uint8Array[], format: VideoFormat): Buffer {
  const samples = pictures.map((rgb, index) => {
    const unit = picture(rgb, format, index);
    return Buffer.concat([u32(unit.length), unit]);
  });
  const type = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'));
  const offset = type.length + movie(samples, format, 0).length + 8;
  return Buffer.concat([type, movie(samples, format, offset), box('mdat', ...samples)]);
}
