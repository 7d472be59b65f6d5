import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from '../setup/free-port.js';
import { killStartedPrograms, startProgram, waitUntil } from '../setup/started-program.js';
import { removeFolder, temporaryFolder } from '../setup/test-server.js';
import { waitFor } from '../fixtures/wait-for.js';
import { createWebhook, deliveriesOf, webhookGateway } from './webhook-gateway.js';
import { forAllTests } from '../fixtures/lifecycle.js';

const ROOT = path.resolve(__dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/webhooks.md'), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(PAGE)![1]!;
let folder: string;
const gateway = forAllTests(() => webhookGateway());
beforeAll(async () => {
  gateway.startWorker();
  folder = temporaryFolder();
});
afterEach(async () => {
  killStartedPrograms();
  await gateway.db.pool.query('DELETE FROM webhook');
});
afterAll(async () => {
  removeFolder(folder);
  await gateway.close();
});

const PROGRAMS = [
  { language: 'js', file: 'receiver.mjs', command: process.execPath },
  { language: 'python', file: 'receiver.py', command: 'python3' },
];

describe('the receiver of the guide', () => {
  it.each(PROGRAMS)('in $language verifies messages', async ({ language, file, command }) => {
    expect(spawnSync(command, ['--version']).status).toBe(0);
    // In the folder of the packages, where Node.js finds the library.
    const program = path.join(language === 'js' ? path.join(ROOT, 'node_modules') : folder, file);
    writeFileSync(program, blockOf(language));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const { id, secret } = await createWebhook(gateway, url);
    const receiver = startProgram({ WEBHOOK_SECRET: secret, PORT: String(port) }, [
      command,
      program,
    ]);
    const send = (body: string): Promise<number | null> =>
      fetch(url, { method: 'POST', body }).then(
        ({ status }) => status,
        () => null,
      );
    await waitUntil(async () => (await send('{}')) === 400, receiver);
    const { body: test } = await gateway.v1('POST', `/webhooks/${id}/test`);
    await waitFor(async () => (await deliveriesOf(gateway, id))[0].status === 'delivered');
    expect(receiver.output()).toBe(`${test.id} webhook.test \n`);
  });
});
