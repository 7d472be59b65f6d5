import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { startNginx } from '../../lab/nginx/nginx.js';
import { waitFor } from '../fixtures/wait-for.js';
import { startHaproxy } from '../setup/haproxy.js';

/** The ways to the gateways. */
export const ROUTES = ['direct', 'nginx', 'HAProxy'] as const;
export type RouteName = (typeof ROUTES)[number];

interface Sent {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

/** A way to the gateways. */
export interface Route {
  readonly name: RouteName;
  /** Sends a request, and reads the answer. Without an answer, the status is 0. */
  send(path: string, request?: Sent): Promise<{ status: number; text: string }>;
  /** Opens a connection from a loopback address. */
  connect(localAddress: string): Socket;
  close(): Promise<void>;
}

const portOf = (url: string): number => Number(new URL(url).port);

/** How many gateways a route has. */
export const gatewaysOf = (name: RouteName): 1 | 2 => (name === 'direct' ? 1 : 2);

const BALANCERS = { nginx: startNginx, HAProxy: startHaproxy } as const;

/** Opens a way to the gateways on these ports. */
export async function openRoute(name: RouteName, ports: readonly number[]): Promise<Route> {
  const balancer = name === 'direct' ? null : await BALANCERS[name]([ports[0]!, ports[1]!]);
  const target = { host: '127.0.0.1', port: balancer ? portOf(balancer.url) : ports[0]! };
  const agent = balancer
    ? new HttpsAgent({ ca: balancer.ca, keepAlive: true })
    : new HttpAgent({ keepAlive: true });
  const isListening = async (): Promise<boolean> => {
    const socket = connect(target);
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  };
  await waitFor(isListening);
  return {
    name,
    send: (requestPath, { body, ...options } = {}) =>
      new Promise((resolve) => {
        const fail = (error: Error): void => resolve({ status: 0, text: String(error) });
        (balancer ? httpsRequest : httpRequest)(
          { ...target, path: requestPath, agent, ...options },
          (response) => {
            text(response).then(
              (answer) => resolve({ status: response.statusCode!, text: answer }),
              fail,
            );
          },
        )
          .once('error', fail)
          .end(body);
      }),
    connect: (localAddress) =>
      balancer
        ? connectTls({ socket: connect({ ...target, localAddress }), rejectUnauthorized: false })
        : connect({ ...target, localAddress }),
    async close() {
      agent.destroy();
      await balancer?.close();
    },
  };
}
