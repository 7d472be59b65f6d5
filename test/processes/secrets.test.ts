import { Writable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { composeWorker } from '../../src/composition/worker.js';
import { allRows } from '../fixtures/database-rows.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { aMastodonInstance } from '../fixtures/mastodon-instance.js';
import { anOperator } from '../fixtures/operator.js';
import { formsOf } from '../fixtures/secret-forms.js';

const TOKEN = 'tok-7f1c0ffee-of-the-kiosk';
const REPLACED = 'tok-8e2decade-of-before';

test('network credentials appear in no response, log line, row or job, even if the network repeats them', async () => {
  const logLines: string[] = [];
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logLines.push(chunk.toString());
        done();
      },
    }),
  );
  const instance = await aMastodonInstance({ token: TOKEN });
  const key = randomBytes(32);
  const gateway = await gatewayWith({ log, credentialsKeys: [key], networksAllowLoopback: true });
  const worker = composeWorker(
    { ...gateway.config, jobConcurrency: 2 },
    { ...gateway.db, isEmbedded: false, isNew: false },
    { log },
  );
  const connected = {
    CONNECT_MASTODON_INSTANCE: instance.url,
    CONNECT_MASTODON_ACCESS_TOKEN: TOKEN,
  };
  const { cli, json } = anOperator(() => ({
    DATABASE_URL: gateway.db.url,
    CREDENTIALS_KEY: key.toString('base64'),
    NETWORKS_ALLOW_LOOPBACK: '1',
    ...connected,
  }));
  try {
    const { owner: by, records } = gateway;
    const { id } = await json('accounts', 'connect', 'mastodon', '--workspace', by.workspace.id);
    const account = await gateway.db.prisma.account.findUniqueOrThrow({ where: { id } });
    const post = await records.aPost({
      by,
      account,
      storedState: 'published_posted',
      remoteId: '109',
    });
    worker.start();
    const changed = await gateway.v1('PUT', `/posts/${post.id}`, {
      body: { post: { text: 'New' } },
    });
    const jobId = changed.headers.get('x-job-id')!;
    let job = await gateway.v1('GET', `/job_status/${jobId}`);
    for (
      const deadline = Date.now() + 20_000;
      job.body.status === 'working' && Date.now() < deadline;
    ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      job = await gateway.v1('GET', `/job_status/${jobId}`);
    }
    // The instance rejected the edit and repeated the token in its message, which reached the
    // worker and no further.
    expect(job.body).toMatchObject({
      status: 'failed',
      payload: {
        failures: { [post.id]: [expect.stringContaining('The access token ••• is invalid')] },
      },
    });

    const unknownAccount = await cli(
      'accounts',
      'connect',
      'mastodon',
      '--workspace',
      by.workspace.id,
      '--account',
      'acc_none',
    );
    connected.CONNECT_MASTODON_ACCESS_TOKEN = REPLACED;
    const invalidToken = await cli(
      'accounts',
      'connect',
      'mastodon',
      '--workspace',
      by.workspace.id,
    );
    expect([unknownAccount.code, invalidToken.code]).toEqual([1, 1]);
    const observed = [
      unknownAccount,
      invalidToken,
      await cli('accounts', 'list'),
      changed,
      job,
      await gateway.v1('GET', `/posts/${post.id}`),
      await gateway.v1('GET', '/accounts'),
      await gateway.graphql(
        'query($id: ID!, $job: ID!) { accounts { id name socialId needsReauth } post(id: $id) { networkSync { status error } } jobStatus(id: $job) { failures { id code message } payload } }',
        { id: post.id, job: jobId },
      ),
      await allRows(gateway.db.pool),
      logLines,
    ].map((value) => JSON.stringify(value));
    expect(logLines.join('')).toContain(jobId);
    for (const form of [TOKEN, REPLACED].flatMap(formsOf))
      expect(observed.filter((text) => text.includes(form))).toEqual([]);
    // The search covers the place of the credentials: the sealed value is found.
    const { sealed } = await gateway.db.prisma.accountCredential.findUniqueOrThrow({
      where: { accountId: id },
    });
    expect(observed.join('')).toContain(Buffer.from(sealed).toString('hex'));
  } finally {
    await worker.stop(5_000);
    await gateway.close();
    await instance.close();
  }
});
