import type { NetworkFailureCode } from '../../src/domain/networks/network-failures.js';
import { NETWORK_FAILURES } from '../../src/domain/networks/network-failures.js';
import { JOB_RETRIES } from '../../src/domain/jobs/job-retries.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { aNightShift, fails, type NightShift } from '../fixtures/test-worker.js';

let night: NightShift;
beforeAll(async () => {
  night = await aNightShift();
});
afterAll(() => night.database.drop());
beforeEach(() => night.clear());

describe('a change of a published post', () => {
  it('reaches its network: the saved post, and what differs there', async () => {
    const { by, post } = await night.aPublishedPost();
    const job = await night.change(by, post, { text: 'Two' });
    expect(await night.sync(post)).toMatchObject({
      status: 'pending',
      job_id: job,
      live: { text: 'One' },
      in_doubt: false,
      attempted: false,
    });

    expect(await night.doDue()).toEqual(['completed']);
    expect(night.network.edits).toHaveLength(1);
    const [edit] = night.network.edits;
    expect([
      edit!.remoteId,
      edit!.post.text,
      [...edit!.changed],
      edit!.credentials,
      edit!.account.id,
    ]).toEqual(['109', 'Two', ['text'], { token: 't' }, post.accountId]);
    expect(await night.job(job)).toMatchObject({
      status: 'completed',
      attempts: 1,
      progress: 1,
      failures: [],
      leased: false,
      finished: true,
    });
    expect(await night.sync(post)).toMatchObject({
      status: 'synced',
      live: { text: 'Two' },
      in_doubt: false,
      error: null,
      attempted: true,
    });
    expect(await night.stored(by, post.id)).toMatchObject({
      version: 2,
      text: 'Two',
      networkSync: { status: 'synced', liveText: 'Two' },
    });
  });

  it('that was overtaken is done without a call, and the last one brings what is saved then', async () => {
    const { by, post } = await night.aPublishedPost();
    const first = await night.change(by, post, { text: 'Two' });
    const last = await night.change(by, post, { text: 'Three' });
    expect(await night.doDue()).toEqual(['completed', 'completed']);
    expect(night.network.texts()).toEqual(['Three']);
    expect([await night.job(first), await night.job(last)]).toMatchObject([
      { status: 'completed', failures: [] },
      { status: 'completed', failures: [] },
    ]);
    expect(await night.sync(post)).toMatchObject({
      status: 'synced',
      job_id: last,
      live: { text: 'Three' },
    });
  });

  it('that was taken back before it went is done without a call', async () => {
    const { by, post } = await night.aPublishedPost();
    await night.change(by, post, { text: 'Two' });
    await night.change(by, post, { text: 'One' });
    expect(await night.doDue()).toEqual(['completed', 'completed']);
    expect(night.network.edits).toEqual([]);
    expect(await night.sync(post)).toMatchObject({ status: 'synced', live: { text: 'One' } });
  });

  it('that comes while another one is out is brought by its own job, after it', async () => {
    const { by, post } = await night.aPublishedPost();
    await night.change(by, post, { text: 'Two' });
    let later = '';
    night.network.answers(async () => {
      later = await night.change(by, post, { text: 'Three' });
      return { kind: 'edited' };
    });
    expect(await night.doDue()).toEqual(['completed']);
    expect(await night.sync(post)).toMatchObject({
      status: 'pending',
      job_id: later,
      live: { text: 'Two' },
      in_doubt: false,
    });
    expect(await night.doDue()).toEqual(['completed']);
    expect(night.network.texts()).toEqual(['Two', 'Three']);
    expect(await night.sync(post)).toMatchObject({ status: 'synced', live: { text: 'Three' } });
  });

  it('of a post that was deleted meanwhile fails and says so', async () => {
    const { by, post } = await night.aPublishedPost();
    const job = await night.change(by, post, { text: 'Two' });
    await night.remove(by, [post.id]);
    expect(await night.doDue()).toEqual(['failed']);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      failures: [
        {
          id: post.id,
          code: 'POST_NOT_FOUND',
          message: 'The post was deleted before its change reached the network.',
        },
      ],
    });
    expect(night.network.edits).toEqual([]);
  });

  it('goes to the sandbox where the account lives there, whatever its network, by the id that we show', async () => {
    const { by, post } = await night.aPublishedPost({ network: 'linkedin', sandbox: true });
    await night.change(by, post, { text: 'Two' });
    expect(await night.doDue()).toEqual(['completed']);
    expect(night.network.edits).toMatchObject([{ remoteId: post.id, credentials: {} }]);
  });

  it.each([
    [
      'NETWORK_NOT_CONNECTED',
      { network: 'linkedin' as const },
      'The service cannot edit posts on linkedin.',
    ],
  ])('without a way there fails: %s', async (code, account, message) => {
    const { by, post } = await night.aPublishedPost(account);
    const job = await night.change(by, post, { text: 'Two' });
    expect(await night.doDue()).toEqual(['failed']);
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ id: post.id, code, message }],
    });
    expect(await night.sync(post)).toMatchObject({
      status: 'failed',
      error: message,
      live: { text: 'One' },
      in_doubt: false,
    });
    expect(await night.stored(by, post.id)).toMatchObject({ text: 'Two', version: 2 });
  });

  it('whose credentials cannot be opened fails at once; what is to be done stands in the log alone', async () => {
    const { by, post } = await night.aPublishedPost();
    const job = await night.change(by, post, { text: 'Two' });
    jest
      .spyOn(night.credentials, 'open')
      .mockResolvedValueOnce(new Error('CREDENTIALS_KEY is not set'));
    expect(await night.doDue()).toEqual(['failed']);
    const message = `The service cannot open the credentials of the account ${post.account!.name}; its operator finds the reason in the log.`;
    expect(await night.job(job)).toMatchObject({
      status: 'failed',
      attempts: 1,
      failures: [{ id: post.id, code: 'NETWORK_NOT_CONNECTED', message }],
    });
    expect(await night.sync(post)).toMatchObject({
      status: 'failed',
      error: message,
      live: { text: 'One' },
      in_doubt: false,
    });
    expect([night.alerts, night.network.edits]).toEqual([['CREDENTIALS_KEY is not set'], []]);
  });
});

describe('a network that does not do it', () => {
  const retried = wordsOf(NETWORK_FAILURES).filter((code) => NETWORK_FAILURES[code].retried);
  const final = wordsOf(NETWORK_FAILURES).filter((code) => !NETWORK_FAILURES[code].retried);

  it.each(final)(
    'and says %s ends the job with the reason; the service keeps the edit',
    async (code) => {
      const { by, post } = await night.aPublishedPost();
      const job = await night.change(by, post, { text: 'Two' });
      night.network.answers(fails(code as NetworkFailureCode));
      expect(await night.doDue()).toEqual(['failed']);
      expect(await night.job(job)).toMatchObject({
        status: 'failed',
        attempts: 1,
        progress: 0,
        failures: [{ id: post.id, code, message: `The network says ${code}.` }],
        finished: true,
      });
      expect(await night.sync(post)).toMatchObject({
        status: 'failed',
        error: `The network says ${code}.`,
        live: { text: 'One' },
        in_doubt: false,
      });
      expect(await night.stored(by, post.id)).toMatchObject({ text: 'Two' });
    },
  );

  it.each(retried)('and says %s is asked again, until the limit', async (code) => {
    const { by, post } = await night.aPublishedPost();
    const job = await night.change(by, post, { text: 'Two' });
    const pauses: number[] = [];
    for (let attempt = 1; attempt < JOB_RETRIES.mostAttempts; attempt++) {
      night.network.answers(fails(code as NetworkFailureCode));
      expect(await night.doDue()).toEqual(['again']);
      const { status, attempts, due_in, leased } = await night.job(job);
      expect({ status, attempts, leased }).toEqual({
        status: 'working',
        attempts: attempt,
        leased: false,
      });
      pauses.push(Math.round(due_in));
      expect(await night.sync(post)).toMatchObject({
        status: 'pending',
        error: null,
        live: { text: 'One' },
        in_doubt: NETWORK_FAILURES[code].inDoubt,
      });
      await night.hurry();
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512]);
    night.network.answers(fails(code as NetworkFailureCode));
    expect(await night.doDue()).toEqual(['failed']);
    expect(await night.job(job)).toMatchObject({ status: 'failed', failures: [{ code }] });
    expect(await night.sync(post)).toMatchObject({
      status: 'failed',
      in_doubt: NETWORK_FAILURES[code].inDoubt,
    });
  });

  it('is asked again as late as it says, and left alone by the account’s other posts until then', async () => {
    const { by, post } = await night.aPublishedPost();
    const other = await night.aPost({
      by,
      account: post.account,
      cell: 'published_posted',
      text: 'One',
      remoteId: '110',
    });
    const job = await night.change(by, post, { text: 'Two' });
    night.network.answers(fails('NETWORK_RATE_LIMITED', 90_000));
    expect(await night.doDue()).toEqual(['again']);
    expect((await night.job(job)).due_in).toBeCloseTo(90, -1);

    const waiting = await night.change(by, other, { text: 'Two' });
    expect(await night.doDue()).toEqual(['postponed']);
    expect(await night.job(waiting)).toMatchObject({ status: 'working', attempts: 0 });
    expect((await night.job(waiting)).due_in).toBeGreaterThan(80);
    expect(night.network.edits).toHaveLength(1);
    await night.hurry();
    expect(await night.doDue()).toEqual(['completed', 'completed']);
  });

  it('in doubt is told every field the next time, even what the service believes to be live', async () => {
    const { by, post } = await night.aPublishedPost();
    await night.change(by, post, { text: 'Two' });
    night.network.answers(fails('NETWORK_UNAVAILABLE'));
    await night.doDue();
    await night.change(by, post, { text: 'One' });
    await night.hurry();
    expect(await night.doDue()).toEqual(['completed', 'completed']);
    expect(night.network.texts()).toEqual(['Two', 'One']);
    expect([...night.network.edits[1]!.changed]).toEqual(['text', 'title', 'details.language']);
    expect(await night.sync(post)).toMatchObject({
      status: 'synced',
      live: { text: 'One' },
      in_doubt: false,
    });
  });
});

describe('a lane', () => {
  const changeMany = async (count: number) => {
    const { by, post } = await night.aPublishedPost();
    for (let n = 0; n < count; n++) {
      const one =
        n === 0
          ? post
          : await night.aPost({
              by,
              account: post.account,
              cell: 'published_posted',
              text: 'One',
              remoteId: `2${n}`,
            });
      await night.change(by, one, { text: 'Two' });
    }
  };

  it('lets as many edits begin together as may be out, and the others as far apart as the network’s pace says', async () => {
    await changeMany(7);
    expect(await night.doDue()).toEqual([
      'completed',
      'completed',
      'completed',
      'completed',
      'postponed',
      'postponed',
      'postponed',
    ]);
    const due = await night.sql<{ s: number }>(
      "SELECT EXTRACT(epoch FROM turn_at - (SELECT min(turn_at) FROM job WHERE status = 'working'))::float8 AS s FROM job WHERE status = 'working' ORDER BY turn_at",
    );
    expect(due.map(({ s }) => Math.round(s))).toEqual([0, 1, 2]);
    const moveTurns = async (by: string): Promise<void> => {
      await night.sql(
        `UPDATE job SET turn_at = now() - interval '${by}', due_at = now() WHERE status = 'working'`,
      );
      await night.sql(
        "UPDATE pgboss.job SET start_after = now() - interval '1 second' WHERE state = 'created'",
      );
    };
    await moveTurns('6 seconds'); // which they did not take when they came
    expect(await night.doDue()).toEqual(['postponed', 'postponed', 'postponed']);
    await moveTurns('1 second');
    expect(await night.doDue()).toEqual(['completed', 'completed', 'completed']);
  });

  it('lets out no more at once than the network’s row says', async () => {
    const elsewhere = (lane: string, count: number) =>
      night.sql(
        "INSERT INTO job (id, kind, lane, leased_until) SELECT 'job_' || $1 || n, 'network_edit', $1, now() + interval '1 minute' FROM generate_series(1, $2::int) n",
        lane,
        count,
      );
    await elsewhere('mastodon', 4);
    await elsewhere('sandbox', 5);
    await changeMany(1);
    expect(await night.doDue()).toEqual(['postponed']);
    await night.sql(
      "UPDATE job SET leased_until = now() - interval '1 second' WHERE id = 'job_mastodon1'",
    ); // a worker that is gone
    await night.hurry();
    expect(await night.doDue()).toEqual(['completed']);
  });
});
