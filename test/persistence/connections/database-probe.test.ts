import pg from 'pg';
import { createDatabaseProbe } from '../../../src/persistence/connections/database-probe.js';
import { withDatabase } from '../../setup/database.js';
import { openTcpProxy } from '../../setup/tcp-proxy.js';

const database = withDatabase();

/** This process computes, and reads nothing meanwhile. */
function compute(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it.each([500, 2_500])(
  'does not blame the database while this process computes for %i ms',
  async (ms) => {
    const probe = createDatabaseProbe(database.pool);
    const isResponsive = probe.isResponsive(); // opens a connection first
    compute(ms);
    expect(await isResponsive).toBe(true);
    const isStillResponsive = probe.isResponsive();
    compute(ms);
    expect(await isStillResponsive).toBe(true);
    await probe.close();
  },
);

it('tells that a database does not respond, and that it does again', async () => {
  const url = new URL(database.url);
  const proxy = await openTcpProxy(Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  const pool = new pg.Pool({ connectionString: url.href });
  const probe = createDatabaseProbe(pool);
  expect(await probe.isResponsive()).toBe(true);
  proxy.freeze();
  expect(await probe.isResponsive()).toBe(false);
  proxy.thaw();
  expect(await probe.isResponsive()).toBe(true);
  await Promise.all([probe.close(), pool.end()]);
  await proxy.close();
});
