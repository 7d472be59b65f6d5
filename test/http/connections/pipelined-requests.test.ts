import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayWith } from '../../fixtures/gateway.js';
import { rawConnection } from './raw-connection.js';
import { waitFor } from '../../fixtures/wait-for.js';

it('releases the permits of pipelined requests whose client disconnects', async () => {
  const gateway = await gatewayWith({ maxConcurrentRequests: 4 });
  for (const delayMs of [0, 3, 30]) {
    const connection = await rawConnection(gateway.url);
    connection.write(
      `GET /v1/posts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer-API ${gateway.owner.apiKey}\r\nService-Workspace-Id: ${gateway.owner.workspace.id}\r\n\r\n`.repeat(
        40,
      ),
    );
    await sleep(delayMs); // before the first is read, while they are processed, and later
    connection.end();
  }
  await waitFor(async () => (await gateway.v1('GET', '/posts')).status === 200);
  await gateway.close();
});
