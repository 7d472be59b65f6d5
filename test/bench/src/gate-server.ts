import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type pg from 'pg';
import { createPool, HOST, PORT } from './peers/environment.js';
import { part } from './product.js';

interface Config {
  readonly logLevel: string;
}
interface Gate {
  admit(request: IncomingMessage, response: ServerResponse): Promise<object>;
}

const { readConfig } = await part<{ readConfig(): Config }>('config');
const { createLog } = await part<{ createLog(level: string): object }>('log');
const { systemClock } = await part<{ systemClock: object }>('services/random-ids');
const { beginTrace } = await part<{ beginTrace(response: ServerResponse): void }>('http/trace');
const { composeGate } = await part<{
  composeGate(
    config: Config,
    parts: { pool: pg.Pool; clock: object; log: object },
  ): Promise<{ gate: Gate }>;
}>('compose/compose-gate');

/** Answers without the gate at /open, and behind the product's own gate everywhere else. */
const config = readConfig();
const { gate } = await composeGate(config, {
  pool: createPool(),
  clock: systemClock,
  log: createLog(config.logLevel),
});

createServer((request, response) => {
  beginTrace(response);
  const admitted = request.url === '/open' ? Promise.resolve({}) : gate.admit(request, response);
  admitted.then(
    () => response.end('{}'),
    (error: Error) => response.writeHead(500).end(`{"errors":${JSON.stringify(error.message)}}`),
  );
}).listen(PORT, HOST);
