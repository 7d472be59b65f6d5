import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { PICTURE_PROGRAM } from '../../src/config/package-paths.js';
import { createPictureReader } from '../../src/media/picture-reader.js';
import { createPictureProcesses } from '../../src/media/picture-processes.js';
import { inSlices } from '../../src/services/long-work.js';

const processes = createPictureProcesses(PICTURE_PROGRAM);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FORMATS = ['jpeg', 'png', 'webp'] as const;
const SERIAL = 'SERIAL-4711';
/** What must not be left: serial numbers, and the texts of XMP. */
const SECRETS = [SERIAL, 'W5M0MpCehiHzreSzNTczkc9d', 'GPSLatitude'];

/** A picture of two colors with everything that a camera writes. */
const photograph = async (format: (typeof FORMATS)[number], orientation: number) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f9e44' } })
    .composite([{ input: Buffer.from('<svg><rect width="20" height="20" fill="red"/></svg>') }])
    .withMetadata({ orientation })
    .withIccProfile('p3')
    .withExif({
      IFD0: { Make: 'Camera', Model: SERIAL, Orientation: String(orientation) },
      IFD2: { BodySerialNumber: SERIAL },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '52/1 31/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '13/1 24/1 0/1',
      },
    })
    .withXmp(
      `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description exif:GPSLatitude="52,31N" xmlns:exif="http://ns.adobe.com/exif/1.0/"/></rdf:RDF></x:xmpmeta>`,
    )
    .toFormat(format)
    .toBuffer();

/** The file without metadata; null if it stays as it is. */
async function strip(picture: Buffer, keepsMetadata = false): Promise<Buffer | null> {
  const file = path.join(folder, 'picture');
  await writeFile(file, picture);
  const { stripped } = await createPictureReader({ keepsMetadata, processes, inSlices }).read(
    file,
    'wks_1',
  );
  return stripped && Buffer.concat(stripped);
}
const pixels = (picture: Buffer) => sharp(picture).autoOrient().raw().toBuffer();

describe.each(FORMATS)('a picture of the format %s', (format) => {
  it.each([1, 6])('loses everything but orientation %s and color profile', async (orientation) => {
    const picture = await photograph(format, orientation);
    const before = await sharp(picture).metadata();
    expect(before).toMatchObject({ exif: expect.anything(), orientation });
    expect(picture.includes(SERIAL)).toBe(true);
    const stripped = (await strip(picture))!;
    for (const secret of SECRETS) expect(stripped.includes(secret)).toBe(false);
    const after = await sharp(stripped, { failOn: 'warning' }).metadata();
    expect([after.xmp, after.orientation ?? 1]).toEqual([undefined, orientation]);
    expect(after.icc).toEqual(before.icc);
    expect(after.exif?.length ?? 0).toBeLessThan(40);
    expect(await pixels(stripped)).toEqual(await pixels(picture));
    expect(await strip(stripped)).toEqual(stripped);
  });

  it('is the same file if it has no metadata, or if they are kept', async () => {
    const picture = await sharp(await photograph(format, 1))
      .toFormat(format)
      .toBuffer();
    expect(await strip(picture)).toEqual(picture);
    expect(await strip(await photograph(format, 6), true)).toBeNull();
  });
});

it('cuts what follows a JPEG: a preview, or a video', async () => {
  const picture = await photograph('jpeg', 1);
  const stripped = (await strip(Buffer.concat([picture, Buffer.from(`trailer ${SERIAL}`)])))!;
  expect(stripped).toEqual(await strip(picture));
});

it('keeps the scans of a progressive JPEG', async () => {
  const picture = await sharp(await photograph('jpeg', 1))
    .keepMetadata()
    .jpeg({ progressive: true })
    .toBuffer();
  const stripped = (await strip(picture))!;
  expect(stripped.includes(SERIAL)).toBe(false);
  expect(await pixels(stripped)).toEqual(await pixels(picture));
});

it('removes the comment of an animation, and keeps its frames', async () => {
  const frame = (color: string) =>
    sharp({ create: { width: 9, height: 9, channels: 3, background: color } })
      .png()
      .toBuffer();
  const gif = await sharp([await frame('red'), await frame('blue')], { join: { animated: true } })
    .gif({ delay: [100, 200], loop: 3 })
    .toBuffer();
  const comment = Buffer.from(`\x21\xfe${String.fromCharCode(SERIAL.length)}${SERIAL}\0`, 'latin1');
  const at = gif.indexOf(Buffer.of(0x21, 0xff));
  const commented = Buffer.concat([gif.subarray(0, at), comment, gif.subarray(at)]);
  expect(await strip(commented)).toEqual(gif);
});
