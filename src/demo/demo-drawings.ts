import type sharpModule from 'sharp';
import { encodeVideo } from './demo-video.js';

/**
 * Drawings of the demo's pictures and videos as SVG, 800 × 600 units. Each shows roughly what its
 * alternative text says. `at` is the time within a loop, from 0 to 1.
 */
type Drawing = (at: number) => string;

const WIDTH = 800;
const HEIGHT = 600;

const scene = (sky: string, ground: string, ...shapes: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">` +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="${sky}"/>` +
  `<rect y="400" width="${WIDTH}" height="200" fill="${ground}"/>${shapes.join('')}</svg>`;

const circle = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;
const oval = (x: number, y: number, [rx, ry]: readonly [number, number], fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`;
const box = (x: number, y: number, [w, h]: readonly [number, number], fill: string): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="14" fill="${fill}"/>`;
const line = (path: string, stroke: string, width = 10): string =>
  `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const shape = (path: string, fill: string): string => `<path d="${path}" fill="${fill}"/>`;
const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');
/** A wave from -1 to 1, which the last frame of a loop continues in the first. */
const wave = (at: number): number => Math.sin(at * 2 * Math.PI);

const cup = (x: number, y: number, fill: string): string =>
  line(`M${x + 70} ${y + 20} q60 10 40 60 q-10 25 -50 25`, fill, 16) +
  shape(`M${x - 80} ${y} h160 l-18 110 q-4 20 -24 20 h-76 q-20 0 -24 -20 z`, fill) +
  oval(x, y, [80, 18], '#3b2417');
const bean = (x: number, y: number, fill: string): string =>
  `<g transform="rotate(-30 ${x} ${y})">${oval(x, y, [30, 20], fill)}${line(`M${x - 26} ${y} q26 14 52 0`, '#2a1710', 4)}</g>`;
const sack = (x: number, y: number): string =>
  shape(`M${x - 80} ${y} q-20 -120 40 -150 h80 q60 30 40 150 q-80 30 -160 0 z`, '#b98b52') +
  line(`M${x - 38} ${y - 140} h76`, '#7a5427', 8);
const table = box(60, 420, [680, 40], '#8a5a34');

/** The drawing of each picture and video, by the name of its file. */
const DRAWINGS: Readonly<Record<string, Drawing>> = {
  'hafenstrasse-morning.jpg': () =>
    scene(
      '#ffd9a8',
      '#5d7f99',
      circle(560, 320, 110, '#ff9d5c'),
      repeat(3, (i) => line(`M${90 + i * 200} 400 v-170 h90`, '#3d4b58', 12)),
      line('M0 470 q100 -24 200 0 t200 0 t200 0 t200 0', '#87a6bd', 8),
      line('M40 30 h720 v540 h-720 z M400 30 v540', '#4a2f1d', 24),
    ),
  'yirgacheffe-bag.jpg': () =>
    scene(
      '#efe2cf',
      '#8a5a34',
      shape('M270 470 l20 -320 h220 l20 320 z', '#c49a6c'),
      shape('M290 150 l20 -50 h180 l20 50 z', '#a97f52'),
      box(330, 250, [140, 130], '#2f6f5e'),
      bean(400, 315, '#e7d3b1'),
    ),
  'latte-art-swan.jpg': () =>
    scene(
      '#d8c3a5',
      '#c9b08f',
      circle(400, 300, 250, '#fdfaf5'),
      circle(400, 300, 210, '#8b5a33'),
      shape('M300 360 q100 110 220 -10 q-60 20 -110 -30 q-60 60 -110 40 z', '#f8ead6'),
      line('M330 350 q-60 -90 20 -150 q50 -30 60 10', '#f8ead6', 26),
    ),
  'shimokitazawa-window.jpg': () =>
    scene(
      '#cfe3d4',
      '#93744f',
      repeat(5, (i) => circle(120 + i * 140, 130 + (i % 2) * 40, 90, '#7fb38a')),
      line('M60 40 h680 v330 h-680 z M400 40 v330', '#5b3f28', 18),
      table,
      cup(400, 300, '#f3efe6'),
    ),
  'taipei-menu.jpg': () =>
    scene(
      '#a77b51',
      '#8b6440',
      box(110, 60, [580, 440], '#2b3a35'),
      repeat(6, (i) => line(`M170 ${130 + i * 60} h${250 - (i % 3) * 40}`, '#e9e4d4', 8)),
      repeat(6, (i) => line(`M560 ${130 + i * 60} h60`, '#f1c453', 8)),
    ),
  'bangkok-cake.jpg': () =>
    scene(
      '#f7d7da',
      '#e9b9bf',
      oval(400, 450, [270, 60], '#ffffff'),
      shape('M250 430 l160 -190 l160 190 z', '#fff4dd'),
      line('M290 385 h240 M325 340 h170', '#c9dba7', 16),
      circle(410, 225, 26, '#d83a4b'),
    ),
  'cairo-corner.jpg': () =>
    scene(
      '#f0dfc0',
      '#b5884f',
      box(90, 80, [280, 400], '#7b5230'),
      repeat(3, (row) =>
        repeat(7, (i) =>
          box(
            112 + i * 36,
            110 + row * 125,
            [26, 90],
            ['#2f6f5e', '#b0413e', '#e0a458', '#33658a'][(i + row) % 4]!,
          ),
        ),
      ),
      box(470, 330, [220, 120], '#b0413e'),
      box(650, 210, [50, 240], '#9a3733'),
      line('M490 450 v80 M680 450 v80', '#4a2f1d', 16),
    ),
  'roaster-drum.jpg': () =>
    scene(
      '#c7ccd1',
      '#6b6f75',
      circle(400, 300, 220, '#3f454c'),
      circle(400, 300, 180, '#22262b'),
      repeat(24, (i) => bean(270 + (i % 8) * 38, 340 + Math.floor(i / 8) * 34, '#6f4325')),
      line('M400 300 h150', '#aab2ba', 14),
    ),
  'sacks-on-the-pier.jpg': () =>
    scene(
      '#bfe0ee',
      '#7c6a55',
      line('M0 380 q100 -18 200 0 t200 0 t200 0 t200 0', '#6fa6c4', 14),
      sack(240, 520),
      sack(420, 520),
      sack(600, 520),
      sack(330, 380),
      sack(510, 380),
    ),
  'cups-handmade.jpg': () =>
    scene(
      '#ece5da',
      '#8a5a34',
      repeat(6, (i) =>
        cup(
          170 + (i % 3) * 230,
          150 + Math.floor(i / 3) * 220,
          ['#5f7f73', '#c8755a', '#e0b763', '#6b86a6', '#a3657f', '#8d9b5c'][i]!,
        ),
      ),
    ),
  'team-picnic.jpg': () =>
    scene(
      '#bfe3ff',
      '#7fb069',
      shape('M180 470 l90 -60 h260 l90 60 z', '#d83a4b'),
      repeat(4, (i) =>
        circle(230 + i * 110, 330, 36, ['#f2c9a1', '#8d5a3b', '#e6b48b', '#5f3b26'][i]!),
      ),
      repeat(4, (i) =>
        box(195 + i * 110, 365, [70, 90], ['#33658a', '#e0a458', '#2f6f5e', '#7b5ea7'][i]!),
      ),
      circle(690, 90, 55, '#ffd166'),
    ),
  'cupping-table.jpg': () =>
    scene(
      '#e8e0d5',
      '#a9805a',
      repeat(12, (i) => {
        const [x, y] = [140 + (i % 4) * 175, 200 + Math.floor(i / 4) * 130];
        return (
          circle(x, y, 50, '#ffffff') +
          circle(x, y, 38, '#5b3a24') +
          line(`M${x + 62} ${y - 36} v72`, '#b8bec4', 10)
        );
      }),
    ),
  'first-crack.mp4': (at) =>
    scene(
      '#3a3f45',
      '#23272b',
      circle(400, 300, 230, '#aab2ba'),
      circle(400, 300, 195, '#15181b'),
      repeat(12, (i) => {
        const angle = (at + i / 12) * 2 * Math.PI;
        return bean(400 + Math.cos(angle) * 120, 300 + Math.sin(angle) * 120, '#7c4a29');
      }),
    ),
  'harvest-walk.mp4': (at) =>
    scene(
      '#bfe3ff',
      '#6f9b57',
      repeat(9, (i) => circle(i * 125 - at * 125, 400, 70, i % 2 ? '#3f7d4e' : '#4d8f5c')),
      circle(400, 300, 34, '#6b4226'),
      box(368, 330, [64, 120], '#d9a441'),
      line(`M385 450 l${wave(at) * 30} 90 M415 450 l${-wave(at) * 30} 90`, '#3d4b58', 18),
    ),
  'espresso-in-thirty.mp4': (at) =>
    scene(
      '#e4ddd3',
      '#8a5a34',
      box(250, 60, [300, 150], '#9aa3ab'),
      box(360, 210, [80, 40], '#3f454c'),
      line(`M385 250 v${60 + wave(at) * 6} M415 250 v${60 - wave(at) * 6}`, '#3b2417', 10),
      cup(400, 330, '#ffffff'),
    ),
  'closing-time.mp4': (at) =>
    scene(
      '#2d3142',
      '#4a3728',
      circle(640, 120, 50, '#ffe8b6'),
      table,
      repeat(3, (i) => {
        const y = 330 + Math.max(0, wave(at + i / 3)) * 60;
        return line(`M${180 + i * 200} ${y} h80 v-80 M${180 + i * 200} ${y} v70`, '#c08552', 16);
      }),
    ),
  'bloom.gif': (at) =>
    scene(
      '#efe2cf',
      '#8a5a34',
      shape('M220 180 h360 l-110 240 h-140 z', '#ffffff'),
      oval(400, 200 - wave(at / 2) * 20, [150, 40 + wave(at / 2) * 25], '#6f4325'),
      repeat(5, (i) =>
        circle(320 + i * 40, 190 - wave(at / 2) * 24, 8 + wave(at / 2) * 10, '#8f5f3b'),
      ),
    ),
  'cat-on-sacks.gif': (at) =>
    scene(
      '#bfe0ee',
      '#7c6a55',
      sack(320, 540),
      sack(500, 540),
      oval(410, 350, [110, 60], '#e39a4f'),
      `<g transform="rotate(${wave(at) * 18} 330 300)">${circle(320, 290, 52, '#e39a4f')}` +
        `${shape('M280 262 l6 -50 l34 32 z M326 244 l34 -32 l6 50 z', '#e39a4f')}${circle(304, 286, 6, '#222')}${circle(338, 286, 6, '#222')}</g>`,
      line(`M515 340 q70 ${-60 + wave(at) * 50} 40 -110`, '#e39a4f', 20),
    ),
};

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
function writeDocument(title: string): Buffer {
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
