import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createIncomingFiles } from '../../src/media/incoming-files.js';
import { createS3Storage, S3Error } from '../../src/media/s3-storage.js';
import { systemClock } from '../../src/services/clock.js';
import { gatewayWith } from '../../test/fixtures/gateway.js';
import { aForm, aPicture, aVideo } from '../../test/fixtures/media-files.js';
import { freePort } from '../../test/setup/free-port.js';
import { startProgram, waitUntil, type StartedProgram } from '../../test/setup/started-program.js';

const S3RVER = path.join(__dirname, 'node_modules/s3rver/bin/s3rver.js');
const KEY = 'S3RVER'; // the only key that the server knows

let server: StartedProgram;
let folder: string;
let endpoint: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 's3-'));
  const port = String(await freePort());
  endpoint = `http://127.0.0.1:${port}`;
  server = startProgram({}, [
    process.execPath,
    S3RVER,
    '--directory',
    path.join(folder, 'buckets'),
    '--address',
    '127.0.0.1',
    '--port',
    port,
    '--configure-bucket',
    'media',
    '--no-vhost-buckets',
    '--silent',
  ]);
  await waitUntil(
    () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
    server,
  );
});
afterAll(async () => {
  server.child.kill('SIGKILL');
  await server.exit;
  await rm(folder, { recursive: true });
});

const storage = ({ bucket = 'media', at = endpoint } = {}) =>
  createS3Storage(
    { endpoint: at, bucket, region: 'us-east-1', accessKeyId: KEY, secretAccessKey: KEY },
    systemClock,
  );
const receive = (content: Buffer) => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield content;
  }
  return createIncomingFiles(path.join(folder, 'incoming')).receive(chunks(), Infinity);
};

describe('a bucket', () => {
  it('keeps, serves and deletes files', async () => {
    const file = await receive(Buffer.from('Hello, world'));
    await storage().store('ab/abc', file, 'text/plain');
    expect(await text((await storage().open('ab/abc'))!)).toBe('Hello, world');
    expect(await text((await storage().open('ab/abc', { first: 7, last: 9 }))!)).toBe('wor');
    await storage().delete('ab/abc');
    await storage().delete('ab/abc');
    expect(await storage().open('ab/abc')).toBeNull();
  });

  it('fails with the code of the bucket', async () => {
    const file = await receive(Buffer.from('x'));
    const failure = (rejected: Promise<unknown>) =>
      rejected.then(
        () => null,
        (error: unknown) => error as S3Error,
      );
    const noBucket = await failure(storage({ bucket: 'other' }).store('a/b', file, 'text/plain'));
    expect(noBucket).toBeInstanceOf(S3Error);
    expect(noBucket!.message).toBe('The bucket other responded to PUT with 404 NoSuchBucket.');
    const away = await failure(storage({ at: 'http://127.0.0.1:1' }).open('a/b'));
    expect(away!.message).toBe('The bucket media did not respond to GET.');
  });
});

describe('a gateway with a bucket', () => {
  it('keeps uploads there and serves them', async () => {
    const gateway = await gatewayWith({
      s3Endpoint: endpoint,
      s3Bucket: 'media',
      s3AccessKeyId: KEY,
      s3SecretAccessKey: KEY,
    });
    try {
      const upload = (content: Buffer) =>
        gateway.request('/v1/media', { method: 'POST', body: aForm(content) });
      const picture = await aPicture('jpeg');
      const { body } = await upload(picture);
      const file = await fetch(body.path as string);
      expect(Buffer.from(await file.arrayBuffer())).toEqual(picture);
      expect((await fetch(body.thumbnail as string)).status).toBe(200);
      const video = (await upload(aVideo())).body;
      const part = await fetch(video.path as string, { headers: { Range: 'bytes=4-11' } });
      expect([part.status, await part.text()]).toEqual([206, 'ftypisom']);
    } finally {
      await gateway.close();
    }
  });

  it('answers 503 while the bucket is unavailable', async () => {
    const gateway = await gatewayWith({
      s3Endpoint: 'http://127.0.0.1:1',
      s3Bucket: 'media',
      s3AccessKeyId: KEY,
      s3SecretAccessKey: KEY,
    });
    try {
      const { status, body } = await gateway.request('/v1/media', {
        method: 'POST',
        body: aForm(aVideo()),
      });
      expect([status, body.message]).toEqual([
        503,
        'The media storage is full or cannot be written.',
      ]);
      expect(await gateway.db.prisma.media.count()).toBe(0);
    } finally {
      await gateway.close();
    }
  });
});
