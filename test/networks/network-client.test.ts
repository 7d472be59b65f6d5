import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { talk } from '../../src/networks/http-client/network-client.js';
import { openWeb } from '../../src/networks/http-client/web.js';
import { systemClock } from '../../src/services/random-ids.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('waits for an answer no longer than it says, whatever is tidied from memory meanwhile', async () => {
  const silent = createServer(() => collectGarbage()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const web = openWeb({
    allowLoopback: true,
    clock: systemClock,
    limits: { callMs: 300, allMs: 20_000 },
  });
  const told = talk(
    web,
    { dialect: { name: 'Example', words: () => null }, about: null, secrets: [] },
    (line) => line.ask('GET', `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`),
  );
  expect(await told).toEqual({
    kind: 'failed',
    code: 'NETWORK_UNAVAILABLE',
    message: 'Example is not available: it did not answer within 0.3 seconds.',
  });
  silent.close();
  silent.closeAllConnections();
});
