import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createPool, HOST, PORT } from './peers/environment.js';
import { createDatabase, importBuilt } from './product.js';

interface Config {
  readonly logLevel: string;
}
interface Authenticator {
  authenticate(request: IncomingMessage, response: ServerResponse): Promise<object>;
}

const { readConfig } = await importBuilt<{ readConfig(): Config }>('config/config');
const { createLog } = await importBuilt<{ createLog(level: string): object }>('log/log');
const { systemClock } = await importBuilt<{ systemClock: object }>('services/clock');
const { createRequestContext } = await importBuilt<{
  createRequestContext(response: ServerResponse): object;
}>('http/request-context');
const { openAuthentication } = await importBuilt<{
  openAuthentication(
    config: Config,
    dependencies: { database: object; clock: object; log: object },
  ): Promise<{ authenticator: Authenticator }>;
}>('composition/gateway');

/**
 * Responds at /open without authentication, and at every other path after authentication and rate
 * limiting.
 */
const config = readConfig();
const { authenticator } = await openAuthentication(config, {
  database: { ...createDatabase(createPool()), setUser: () => undefined },
  clock: systemClock,
  log: createLog(config.logLevel),
});

createServer((request, response) => {
  createRequestContext(response);
  const authenticated =
    request.url === '/open' ? Promise.resolve({}) : authenticator.authenticate(request, response);
  authenticated.then(
    () => response.end('{}'),
    (error: Error) => response.writeHead(500).end(`{"errors":${JSON.stringify(error.message)}}`),
  );
}).listen(PORT, HOST);
