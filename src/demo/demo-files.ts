import type sharpModule from 'sharp';
import { DRAWINGS, type Drawing } from './demo-drawings.js';
import { encodeVideo } from './demo-video.js';

const PHOTO_WIDTH = 1200;
const GIF_WIDTH = 320;
const GIF_FRAMES = 8;
/** A multiple of 16, which video needs, and small: the demo's videos are not compressed. */
const VIDEO_SIZE = { width: 320, height: 240 } as const;
const VIDEO_FRAMES = 8;
const FRAME_MS = 150;

type Sharp = typeof sharpModule;

const frames = (draw: Drawing, count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => Buffer.from(draw(index / count)));

const drawPhoto = (sharp: Sharp, draw: Drawing): Promise<Buffer> =>
  sharp(Buffer.from(draw(0)))
    .resize(PHOTO_WIDTH)
    .jpeg({ quality: 82 })
    .toBuffer();

async function drawGif(sharp: Sharp, draw: Drawing): Promise<Buffer> {
  const pictures = await Promise.all(
    frames(draw, GIF_FRAMES).map((svg) => sharp(svg).resize(GIF_WIDTH).png().toBuffer()),
  );
  return sharp(pictures, { join: { animated: true } })
    .gif({ delay: pictures.map(() => FRAME_MS), loop: 0 })
    .toBuffer();
}

async function drawVideo(sharp: Sharp, draw: Drawing): Promise<Buffer> {
  const { width, height } = VIDEO_SIZE;
  const pictures = await Promise.all(
    frames(draw, VIDEO_FRAMES).map((svg) =>
      sharp(svg).resize(width, height).removeAlpha().raw().toBuffer(),
    ),
  );
  return encodeVideo(pictures, { width, height, frameMs: FRAME_MS });
}

/** A PDF of one page with a title. */
export function writeDocument(title: string): Buffer {
  const text = `BT /F1 28 Tf 72 720 Td (${title.replace(/[()\\]/g, '\\$&')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = ['0000000000 65535 f ', ...offsets.map((offset) => `${offset} 00000 n `)];
  return Buffer.from(
    `${body}xref\n0 ${table.length}\n${table.join('\n')}\ntrailer\n<< /Size ${table.length} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** Draws the file of a media item of the demo. */
export async function drawFile(file: string, title: string): Promise<Buffer> {
  if (file.endsWith('.pdf')) return writeDocument(title);
  const { default: sharp } = await import('sharp');
  const draw = DRAWINGS[file]!;
  if (file.endsWith('.mp4')) return drawVideo(sharp, draw);
  return file.endsWith('.gif') ? drawGif(sharp, draw) : drawPhoto(sharp, draw);
}
