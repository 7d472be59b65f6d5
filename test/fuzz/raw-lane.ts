import fc from 'fast-check';
import net from 'node:net';
import { torn } from '../fixtures/random/damage.js';
import { credentialsOf } from './ask.js';
import { assertNoFault, type Lane } from './lane.js';

const BOUND_MS = 10_000;
const BODY = '{"query":"{ viewer { plan } }"}';
const CREDENTIALS = '<credentials>';
const request = (line: string, ...headers: string[]): string =>
  [line, 'Host: localhost', CREDENTIALS, ...headers].join('\r\n');
const SOUND = [
  `${request('GET /v1/posts HTTP/1.1')}\r\n\r\n`,
  `${request('POST /graphql HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${BODY.length}`)}\r\n\r\n${BODY}`,
  `${request('POST /graphql HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `${request('GET /v1/posts HTTP/1.0')}\r\n\r\n`,
  `${request('PUT /v1/posts/1 HTTP/1.1', 'Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 11')}\r\n\r\n{"post":{}}`,
  `${request('GET /healthz HTTP/1.1')}\r\n\r\n${request('GET /readyz HTTP/1.1')}\r\n\r\n`,
  `${request('GET http://other.example/v1/posts HTTP/1.1', 'Upgrade: websocket', 'Connection: upgrade')}\r\n\r\n`,
  `${request('OPTIONS * HTTP/1.1')}\r\n\r\n`,
];
const SCRAPS = fc.constantFrom(
  '\r\n',
  '\n',
  '\r',
  ' ',
  ':',
  '\0',
  '\xff',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: gzip\r\n',
  'Connection: close\r\n',
  'HTTP/9.9',
  'A: b\r\n'.repeat(1_500),
  'x'.repeat(20_000),
);

/** How many answers are due: to what is no request, a connection that is closed is answer enough. */
const dueTo = (text: string): number =>
  SOUND.includes(text) ? text.split(CREDENTIALS).length - 1 : 0;
/** Of what came back, without those that only tell to go on. An answer may begin where the body of another ends. */
const statusesOf = (received: string): number[] =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status)).filter(
    (status) => status >= 200,
  );

/** Everything that comes back until as many answers as are due are there: then our side says that nothing more will follow, whereupon Node answers nothing that is still at work. */
function converse(url: string, bytes: Buffer, due: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () =>
      due > 0 ? socket.write(bytes) : socket.end(bytes),
    );
    socket.setTimeout(BOUND_MS, () =>
      socket.destroy(new Error(`nothing for ${BOUND_MS} ms; before: ${received}`)),
    );
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (due > 0 && statusesOf(received).length >= due) socket.end();
    });
    socket
      .once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(received) : reject(error),
      )
      .once('close', () => resolve(received));
  });
}

/** Bytes that are almost requests. */
export const rawLane: Lane<string> = {
  name: 'raw',
  share: 2,
  asked: () =>
    fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...SOUND) },
      { weight: 8, arbitrary: torn(fc.constantFrom(...SOUND), SCRAPS) },
    ),
  async hold(text, { url, world }) {
    const credentials = Object.entries(credentialsOf(world, { key: 'owner', workspace: 'main' }))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n');
    const received = await converse(
      url,
      Buffer.from(text.replaceAll(CREDENTIALS, credentials), 'latin1'),
      dueTo(text),
    );
    if (received !== '' && !/^HTTP\/1\.1 \d{3} /.test(received))
      throw new Error(`no HTTP: ${received.slice(0, 200)}`);
    const statuses = statusesOf(received);
    for (const status of statuses) assertNoFault({ status, text: received.slice(0, 1_000) });
    if (statuses.length < dueTo(text))
      throw new Error(
        `${statuses.length} answers, and ${dueTo(text)} are due: ${received.slice(0, 1_000)}`,
      );
    return received === '' ? 'closed' : received.slice(9, 12);
  },
};
