import { once } from 'node:events';
import { createServer } from 'node:net';
import { emptyDatabase } from '../setup/database.js';
import { buildIfChanged, killStartedPrograms, startProgram } from '../setup/started-program.js';

// A test that fails must not leave a gateway running.
afterEach(killStartedPrograms);

describe('node dist/main.js with invalid settings', () => {
  beforeAll(buildIfChanged);

  it('reports a METRICS_PORT in use in one line', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as { port: number };
    const gateway = startProgram({
      PORT: '0',
      METRICS_PORT: String(port),
      DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    });
    expect(await gateway.exit).toBe(1);
    expect(gateway.errors()).toBe(
      `posts-gateway: Cannot listen on port ${port} of 127.0.0.1: the port is in use. Set METRICS_PORT to another port.\n`,
    );
    otherServer.close();
  });

  it('reports equal values of PORT and METRICS_PORT in one line', async () => {
    const gateway = startProgram({ PORT: '4999', METRICS_PORT: '4999' });
    expect([await gateway.exit, gateway.errors()]).toEqual([
      1,
      'posts-gateway: PORT and METRICS_PORT are both 4999. Set one of them to another port.\n',
    ]);
  });

  it.each([
    [
      'a bad setting',
      { PORT: 'many' },
      'posts-gateway: Invalid PORT "many". Allowed: a whole number from 0 to 65535\n',
    ],
    [
      'an unreachable database',
      { PORT: '0', DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/posts' },
      'posts-gateway: Cannot use the database postgresql://me@127.0.0.1:1/posts (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1\n',
    ],
    [
      'a certificate that does not exist',
      { PORT: '0', DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/posts?sslrootcert=/no.pem' },
      "posts-gateway: Cannot use the database postgresql://me@127.0.0.1:1/posts?sslrootcert=/no.pem (DATABASE_URL): ENOENT: no such file or directory, open '/no.pem'\n",
    ],
    [
      'no database in production',
      { PORT: '0', NODE_ENV: 'production', DATABASE_URL: '', DATA_DIR: '' },
      'posts-gateway: DATABASE_URL is not set. With NODE_ENV=production, the embedded database is used only if DATA_DIR is set to its folder\n',
    ],
    [
      'no address of media in production',
      {
        PORT: '0',
        NODE_ENV: 'production',
        DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/posts',
      },
      'posts-gateway: MEDIA_BASE_URL is not set. With NODE_ENV=production, set it to the URL at which clients reach the gateway, such as https://posts.example.com\n',
    ],
  ])('reports %s in one line', async (_what, env, line) => {
    const gateway = startProgram(env);
    expect(await gateway.exit).toBe(1);
    expect(gateway.errors()).toBe(line);
    expect(gateway.errors()).not.toContain('secret');
    expect(gateway.output()).toBe('');
  });

  it('reports a PORT in use in one line', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as { port: number };
    const database = await emptyDatabase();
    const gateway = startProgram({ PORT: String(port), DATABASE_URL: database.url });
    expect(await gateway.exit).toBe(1);
    expect(gateway.errors()).toBe(
      `posts-gateway: Cannot listen on port ${port} of 127.0.0.1: the port is in use. Set PORT to another port.\n`,
    );
    otherServer.close();
    await database.drop();
  });
});
