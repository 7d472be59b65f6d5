import { Writable } from 'node:stream';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { composeWorker } from '../src/composition/worker.js';
import { everyRow } from './fixtures/every-row.js';
import { gatewayWith } from './fixtures/gateway.js';
import { anInstance } from './fixtures/mastodon-instance.js';
import { anOperator } from './fixtures/operator.js';

const TOKEN = 'tok-7f1c0ffee-of-the-kiosk';
const REPLACED = 'tok-8e2decade-of-before';
/** How a secret may show: as it is, in an address, as bytes, as text of bytes. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').slice(0, -4),
];

test('what a network was told stands in no answer, no log line, no row and no job, not even where the network repeats it', async () => {
  const heard: string[] = [];
  const log = pino(
    { level: 'trace' },
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        heard.push(chunk.toString());
        done();
      },
    }),
  );
  const instance = await anInstance({ token: TOKEN });
  const key = randomBytes(32);
  const gateway = await gatewayWith({ log, credentialsKeys: [key], networksAllowLoopback: true });
  const worker = composeWorker(
    { ...gateway.config, jobConcurrency: 2 },
    { ...gateway.db, embedded: false },
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
    const post = await records.aPost({ by, account, cell: 'published_posted', remoteId: '109' });
    worker.start();
    const changed = await gateway.v1('PUT', `/posts/${post.id}`, {
      body: { post: { text: 'New' } },
    });
    const jobId = changed.headers.get('x-job-id')!;
    let job = await gateway.v1('GET', `/job_status/${jobId}`);
    for (const last = Date.now() + 20_000; job.body.status === 'working' && Date.now() < last;) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      job = await gateway.v1('GET', `/job_status/${jobId}`);
    }
    // The instance has refused, and has said the token in its refusal: it has arrived, and went no further.
    expect(job.body).toMatchObject({
      status: 'failed',
      payload: {
        failures: { [post.id]: [expect.stringContaining('The access token ••• is invalid')] },
      },
    });

    const refused = await cli(
      'accounts',
      'connect',
      'mastodon',
      '--workspace',
      by.workspace.id,
      '--account',
      'acc_none',
    );
    connected.CONNECT_MASTODON_ACCESS_TOKEN = REPLACED;
    const outdated = await cli('accounts', 'connect', 'mastodon', '--workspace', by.workspace.id);
    expect([refused.code, outdated.code]).toEqual([1, 1]);
    const told = [
      refused,
      outdated,
      await cli('accounts', 'list'),
      changed,
      job,
      await gateway.v1('GET', `/posts/${post.id}`),
      await gateway.v1('GET', '/accounts'),
      await gateway.graphql(
        'query($id: ID!, $job: ID!) { accounts { id name socialId needsReauth } post(id: $id) { networkSync { status error } } jobStatus(id: $job) { failures { id code message } payload } }',
        { id: post.id, job: jobId },
      ),
      await everyRow(gateway.db.pool),
      (await gateway.db.pool.query('SELECT j::text FROM pgboss.job j')).rows,
      heard,
    ].map((one) => JSON.stringify(one));
    expect(heard.join('')).toContain(jobId);
    for (const form of [TOKEN, REPLACED].flatMap(formsOf))
      expect(told.filter((text) => text.includes(form))).toEqual([]);
    // It was looked for where it would be: the row that has it sealed is among what was searched.
    const { sealed } = await gateway.db.prisma.accountCredential.findUniqueOrThrow({
      where: { accountId: id },
    });
    expect(told.join('')).toContain(Buffer.from(sealed).toString('hex'));
  } finally {
    await worker.stop(5_000);
    await gateway.close();
    await instance.close();
  }
});
