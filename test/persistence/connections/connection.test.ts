import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Connection } from '../../../src/persistence/connections/connection.js';
import { setUpSession } from '../../../src/persistence/connections/session.js';
import { testDatabase } from '../../setup/database.js';

describe('what a connection waits for', () => {
  it('is an answer to a statement, failed ones included', async () => {
    const database = await testDatabase();
    const connection = new Connection({ connectionString: database.url, pipeline: true });
    const isWaiting = (): boolean => connection.bytesBeforeAnswer !== undefined;
    await connection.connect();
    expect(isWaiting()).toBe(true); // until the session is set up
    await setUpSession(connection);
    expect(isWaiting()).toBe(false);
    const lock = await database.pool.connect();
    await lock.query('SELECT pg_advisory_lock(1)'); // the last statement waits for it
    const results = [
      connection.query('SELECT 1'),
      connection.query('SELECT 1 / 0').catch(() => undefined),
      connection.query('SELECT pg_advisory_lock($1)', [1]),
    ];
    const before = connection.bytesBeforeAnswer!;
    await results[0];
    expect(connection.bytesBeforeAnswer).toBeGreaterThan(before);
    await lock.query('SELECT pg_advisory_unlock(1)');
    lock.release();
    await Promise.all(results);
    expect(isWaiting()).toBe(false);
    await connection.end();
    await database.drop();
  });
});

describe('abandoning a connection', () => {
  it('fails it at once while TLS is being set up', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.once('data', () => socket.write('S', () => server.emit('tls'))); // then it is silent
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const connection = new Connection({
      connectionString: `postgresql://user@127.0.0.1:${port}/posts?sslmode=no-verify`,
    });
    connection.on('error', () => undefined);
    const outcome = connection.connect().catch((error: Error & { code?: string }) => error.code);
    await once(server, 'tls');
    await once(sockets[0]!, 'data'); // the handshake
    connection.abandon();
    expect(await outcome).toBe('ETIMEDOUT');
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
});
