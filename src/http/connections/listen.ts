import type { Server } from 'node:http';

/** Where to listen, and the names of the settings for it. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly settings?: { readonly port: string; readonly host: string };
}

const DEFAULT_SETTINGS = { port: 'PORT', host: 'HOST' };

/**
 * Connections that the kernel queues until they are accepted, capped by net.core.somaxconn. In a
 * burst, clients beyond Node's default of 511 would retry after 1, 3, 7 and 15 s without leaving a
 * trace here.
 */
const BACKLOG = 4_096;

/** Reasons why an address cannot be used, by error code, and the setting to change. */
const LISTEN_ERRORS: Readonly<
  Record<string, { readonly reason: string; readonly setting: 'port' | 'host' }>
> = {
  EADDRINUSE: { reason: 'the port is in use', setting: 'port' },
  EACCES: { reason: 'permission denied', setting: 'port' },
  EADDRNOTAVAIL: { reason: 'this machine does not have that address', setting: 'host' },
  ENOTFOUND: { reason: 'the host name cannot be resolved', setting: 'host' },
  EAI_AGAIN: { reason: 'the host name cannot be resolved', setting: 'host' },
};
const ADVICE = { port: 'another port', host: 'another address' };

/**
 * Starts listening.
 * @throws Error with a one-line message that names the setting to change
 */
export function listen(
  server: Server,
  { host, port, settings = DEFAULT_SETTINGS }: ListenOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const listenError = LISTEN_ERRORS[error.code ?? ''];
      const advice = listenError
        ? `. Set ${settings[listenError.setting]} to ${ADVICE[listenError.setting]}.`
        : '';
      const message = `Cannot listen on port ${port} of ${host}: ${listenError?.reason ?? error.message}${advice}`;
      reject(new Error(message, { cause: error }));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
}
