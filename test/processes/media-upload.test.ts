import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { startGateways, type GatewayProcesses } from '../fixtures/gateway-processes.js';
import { aForm, aPicture, aVideo } from '../fixtures/media-files.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { buildIfChanged } from '../setup/started-program.js';

const MB = 1_048_576;
const BOUNDARY = 'a-boundary';
/** Node.js 24 lets up to 64 MB of buffers lie before it collects them. */
const MAX_UPLOAD_MB = Number.parseInt(process.versions.node, 10) < 22 ? 50 : 90;

let gateways: GatewayProcesses;
let dataDir: string;
let viewer: KeyedViewer;

beforeAll(async () => {
  buildIfChanged();
  dataDir = await mkdtemp(path.join(tmpdir(), 'media-upload-'));
  gateways = await startGateways({ DATA_DIR: dataDir, JOB_CONCURRENCY: '0' }, 1);
  viewer = await gateways.records.aViewer();
});
afterAll(async () => {
  await gateways.close();
  await rm(dataDir, { recursive: true });
});

const headersOf = ({ apiKey, workspace }: KeyedViewer): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  'Service-Workspace-Id': workspace.id,
});

/** A form with a video of this size, in chunks of 64 KB. */
async function* aLargeForm(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.mp4"\r\n\r\n`,
  );
  const start = aVideo(65_536);
  yield start;
  const zeros = Buffer.alloc(65_536);
  for (let sent = start.length; sent < bytes; sent += zeros.length)
    yield zeros.subarray(0, Math.min(zeros.length, bytes - sent));
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

async function upload(bytes: number): Promise<{ status: number; body: { errors?: string[] } }> {
  const sent = request(`${gateways.processes[0]!.url}/v1/media`, {
    method: 'POST',
    headers: {
      ...headersOf(viewer),
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  const response = new Promise<{ status: number; body: { errors?: string[] } }>(
    (resolve, reject) => {
      sent.on('error', reject).on('response', (received) => {
        const chunks: Buffer[] = [];
        received
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () =>
            resolve({
              status: received.statusCode!,
              body: JSON.parse(Buffer.concat(chunks).toString()) as { errors?: string[] },
            }),
          );
      });
    },
  );
  await pipeline(Readable.from(aLargeForm(bytes)), sent).catch(() => undefined);
  return response;
}

/** Memory of the gateway in MB: now, and at most since `resetPeak`. */
const memory = (of: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${gateways.processes[0]!.child.pid}/status`, 'utf8');
  return Number(new RegExp(`${of}:\\s+(\\d+) kB`).exec(status)![1]) / 1024;
};
const resetPeak = (): void =>
  writeFileSync(`/proc/${gateways.processes[0]!.child.pid}/clear_refs`, '5');

describe('a file of 200 MB (D63)', () => {
  // The peak of a process can be read on Linux only.
  if (process.platform === 'linux')
    it(`is streamed to the storage in under ${MAX_UPLOAD_MB} MB of memory`, async () => {
      // loads what uploads need
      const { status } = await fetch(`${gateways.processes[0]!.url}/v1/media`, {
        method: 'POST',
        headers: headersOf(viewer),
        body: aForm(await aPicture()),
      });
      expect(status).toBe(200);
      resetPeak();
      const before = memory('VmRSS');
      expect((await upload(200 * MB)).status).toBe(200);
      expect(memory('VmHWM') - before).toBeLessThan(MAX_UPLOAD_MB);
      expect(await gateways.db.prisma.mediaFile.count({ where: { bytes: 200 * MB } })).toBe(1);
    });

  it('is the largest that is accepted', async () => {
    const { status, body } = await upload(200 * MB + 1);
    expect([status, body.errors]).toEqual([413, ['file may have at most 200 MB.']]);
  });
});
