import fc from 'fast-check';
import net from 'node:net';
import { mutatedText } from '../fixtures/random/mutations.js';
import { credentialHeaders } from './fuzz-request.js';
import { assertNoServerError, type FuzzTarget } from './fuzz-target.js';

const TIMEOUT_MS = 10_000;
const BODY = '{"query":"{ viewer { plan } }"}';
const CREDENTIALS = '<credentials>';
const request = (line: string, ...headers: string[]): string =>
  [line, 'Host: localhost', CREDENTIALS, ...headers].join('\r\n');
const VALID_REQUESTS = [
  `${request('GET /v1/posts HTTP/1.1')}\r\n\r\n`,
  `${request('POST /graphql HTTP/1.1', 'Content-Type: application/json', `Content-Length: ${BODY.length}`)}\r\n\r\n${BODY}`,
  `${request('POST /graphql HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  `${request('GET /v1/posts HTTP/1.0')}\r\n\r\n`,
  `${request('PUT /v1/posts/1 HTTP/1.1', 'Expect: 100-continue', 'Content-Type: application/json', 'Content-Length: 11')}\r\n\r\n{"post":{}}`,
  `${request('GET /healthz HTTP/1.1')}\r\n\r\n${request('GET /readyz HTTP/1.1')}\r\n\r\n`,
  `${request('GET http://other.example/v1/posts HTTP/1.1', 'Upgrade: websocket', 'Connection: upgrade')}\r\n\r\n`,
  `${request('OPTIONS * HTTP/1.1')}\r\n\r\n`,
];
const FRAGMENTS = fc.constantFrom(
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

/**
 * Minimum number of responses: input that is not a request may be answered by closing the
 * connection.
 */
const expectedResponses = (text: string): number =>
  VALID_REQUESTS.includes(text) ? text.split(CREDENTIALS).length - 1 : 0;
/**
 * Final statuses, without interim ones (100). A response can start directly after the body of the
 * previous one.
 */
const statusesOf = (received: string): number[] =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status)).filter(
    (status) => status >= 200,
  );

/**
 * Sends bytes and returns everything received. Half-closes the connection only once the expected
 * number of responses has arrived, because Node then drops requests that are still in progress.
 */
function exchange(url: string, bytes: Buffer, expected: number): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = net.connect(Number(port), hostname, () =>
      expected > 0 ? socket.write(bytes) : socket.end(bytes),
    );
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error(`no data for ${TIMEOUT_MS} ms; received before: ${received}`)),
    );
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (expected > 0 && statusesOf(received).length >= expected) socket.end();
    });
    socket
      .once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(received) : reject(error),
      )
      .once('close', () => resolve(received));
  });
}

/** Valid requests as bytes, mostly mutated. */
export const rawTarget: FuzzTarget<string> = {
  name: 'raw',
  share: 2,
  requests: () =>
    fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...VALID_REQUESTS) },
      { weight: 8, arbitrary: mutatedText(fc.constantFrom(...VALID_REQUESTS), FRAGMENTS) },
    ),
  async check(text, { url, database }) {
    const credentials = Object.entries(
      credentialHeaders(database, { key: 'owner', workspace: 'main' }),
    )
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n');
    const received = await exchange(
      url,
      Buffer.from(text.replaceAll(CREDENTIALS, credentials), 'latin1'),
      expectedResponses(text),
    );
    if (received !== '' && !/^HTTP\/1\.1 \d{3} /.test(received))
      throw new Error(`not an HTTP response: ${received.slice(0, 200)}`);
    const statuses = statusesOf(received);
    for (const status of statuses) assertNoServerError({ status, text: received.slice(0, 1_000) });
    if (statuses.length < expectedResponses(text))
      throw new Error(
        `${statuses.length} responses instead of ${expectedResponses(text)}: ${received.slice(0, 1_000)}`,
      );
    return received === '' ? 'closed' : received.slice(9, 12);
  },
};
