import net from 'node:net';
import { fromRawHeaders, assertMatchesOpenApi } from '../../fixtures/described-response.js';

/** A response received on a raw connection. */
interface RawResponse {
  status: number;
  head: string;
  body: string;
  closed: boolean;
}

/** Opens a TCP connection to a server, to send what no HTTP client would. */
export async function rawConnection(url: string): Promise<{
  write(data: string | Buffer): void;
  response(): Promise<RawResponse>;
  end(): void;
  socket: net.Socket;
}> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let sent = '';
  let received = '';
  let closed = false;
  socket
    .setEncoding('utf8')
    .on('data', (text: string) => {
      received += text;
    })
    .on('close', () => {
      closed = true;
    })
    .on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    write(data) {
      sent ||= String(data);
      socket.write(data);
    },
    end: () => {
      socket.destroy();
    },
    async response() {
      for (;;) {
        const [head = '', ...rest] = received.split('\r\n\r\n');
        const body = rest.join('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN);
        if (Buffer.byteLength(body) >= length)
          return described(sent, { status: Number(head.split(' ')[1]), head, body, closed });
        if (closed) throw new Error(`the connection closed after ${JSON.stringify(received)}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

/** @throws Error if the response does not match the OpenAPI document */
async function described(sent: string, response: RawResponse): Promise<RawResponse> {
  const [, method = '', path = ''] = /^(\S+) (?:\w+:\/\/[^/]+)?(\/\S*)/.exec(sent) ?? [];
  const [, ...lines] = response.head.split('\r\n');
  const headers = fromRawHeaders(lines.flatMap((line) => line.split(/: ?(.*)/, 2)));
  await assertMatchesOpenApi({
    method,
    path,
    status: response.status,
    headers,
    text: () => response.body,
  });
  return response;
}
