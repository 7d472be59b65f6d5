import { buffer } from 'node:stream/consumers';
import { createFileDownloads } from '../../src/networks/http-client/file-downloads.js';
import { aFileServer, serving, type FileServer } from '../fixtures/file-server.js';

let server: FileServer;
beforeAll(async () => {
  server = await aFileServer({
    '/file': serving(Buffer.alloc(1_000, 'x')),
    '/large': serving(Buffer.alloc(1_001, 'x')),
    '/endless': (_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', write);
      write();
    },
    '/silent': (_request, response) => void response.writeHead(200).write('x'),
    '/slow': (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    },
    '/cut': (_request, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('x');
      setImmediate(() => response.destroy());
    },
    '/moved': (_request, response) =>
      void response.writeHead(302, { Location: 'http://127.0.0.1/secret' }).end(),
    '/broken': (_request, response) => void response.writeHead(500).end(),
  });
});
afterAll(() => server.close());

const downloads = (totalMs = 5_000) =>
  createFileDownloads({
    allowLoopback: true,
    maxBytes: 1_000,
    timeouts: { connectMs: 1_000, idleMs: 1_000, totalMs },
  });
const download = async (url: string, source = downloads()): Promise<Buffer> => {
  const { content } = await source.open(url);
  return buffer(content);
};

it('downloads a file as a stream', async () => {
  expect(await download(`${server.url}/file`)).toEqual(Buffer.alloc(1_000, 'x'));
});

it.each([
  ['/large', false, /is larger than 1 KB\.$/],
  ['/endless', false, /is larger than 1 KB\.$/],
  ['/silent', true, /is unavailable/],
  ['/cut', true, /is unavailable/],
  ['/moved', false, /redirects to another address\. Send the address of the file itself\.$/],
  ['/missing', false, /responded with status 404\.$/],
  ['/broken', true, /responded with status 500\.$/],
])('fails at %s, and may be retried: %s', async (path, isRetryable, message) => {
  await expect(download(server.url + path)).rejects.toMatchObject({
    isRetryable,
    message: expect.stringMatching(message) as string,
  });
});

it('cuts off a server that sends too slowly', async () => {
  await expect(download(`${server.url}/slow`, downloads(300))).rejects.toMatchObject({
    isRetryable: true,
    message: expect.stringMatching(/did not respond within 0\.3 seconds/) as string,
  });
});

describe('private addresses', () => {
  const guarded = createFileDownloads({ allowLoopback: false });

  it.each([
    'https://127.0.0.1/a',
    'https://[::1]/a',
    'https://10.0.0.1/a',
    'https://169.254.169.254/latest/meta-data',
    'http://example.com/a',
    'ftp://example.com/a',
    'no URL',
  ])('are refused without a request: %s', (url) => {
    expect(guarded.problemOf(url)).toEqual(expect.any(String));
  });

  it('are refused when a name resolves to one, like a name that does not exist', async () => {
    expect(guarded.problemOf('https://localhost/a')).toBeNull();
    await expect(guarded.open('https://localhost/a')).rejects.toMatchObject({
      isRetryable: true,
      message: 'localhost is unavailable: its host name could not be resolved to a public address.',
    });
    expect(guarded.problemOf('https://example.com/a')).toBeNull();
  });
});
