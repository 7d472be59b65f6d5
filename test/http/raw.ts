import net from 'node:net';
import { headersOf, holdToReference } from '../fixtures/described.js';

/** What came back over a connection on which anything can be written. */
interface RawAnswer {
  status: number;
  head: string;
  body: string;
  closed: boolean;
}

/** Speaks to a server byte by byte, for what no HTTP client would send. */
export async function rawConnection(url: string): Promise<{
  write(data: string | Buffer): void;
  answer(): Promise<RawAnswer>;
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
    async answer() {
      for (;;) {
        const [head = '', ...rest] = received.split('\r\n\r\n');
        const body = rest.join('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? NaN);
        if (Buffer.byteLength(body) >= length)
          return held(sent, { status: Number(head.split(' ')[1]), head, body, closed });
        if (closed) throw new Error(`the connection closed after ${JSON.stringify(received)}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
  };
}

/** The answer, which the reference describes where it speaks of what was asked. */
async function held(sent: string, answer: RawAnswer): Promise<RawAnswer> {
  const [, method = '', path = ''] = /^(\S+) (?:\w+:\/\/[^/]+)?(\/\S*)/.exec(sent) ?? [];
  const [, ...lines] = answer.head.split('\r\n');
  const headers = headersOf(lines.flatMap((line) => line.split(/: ?(.*)/, 2)));
  await holdToReference({ method, path, status: answer.status, headers, text: () => answer.body });
  return answer;
}
