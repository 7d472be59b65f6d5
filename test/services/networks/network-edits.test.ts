import { withWorker } from '../../fixtures/test-worker.js';

const worker = withWorker();
beforeEach(() => worker.clearJobs());

describe('a change of a published post', () => {
  it('is applied on its network: the saved post, and the changed fields', async () => {
    const { by, post } = await worker.aPublishedPost();
    const job = await worker.change(by, post, { text: 'Two' });
    expect(await worker.sync(post)).toMatchObject({
      status: 'pending',
      job_id: job,
      live: { text: 'One' },
      in_doubt: false,
      attempted: false,
    });

    expect(await worker.runDueJobs()).toEqual(['completed']);
    expect(worker.network.edits).toHaveLength(1);
    const [edit] = worker.network.edits;
    expect([
      edit!.remoteId,
      edit!.post.text,
      [...edit!.changed],
      edit!.credentials,
      edit!.account.id,
    ]).toEqual(['109', 'Two', ['text'], { token: 't' }, post.accountId]);
    expect(await worker.job(job)).toMatchObject({
      status: 'completed',
      attempts: 1,
      progress: 1,
      failures: [],
      leased: false,
      finished: true,
    });
    expect(await worker.sync(post)).toMatchObject({
      status: 'synced',
      live: { text: 'Two' },
      in_doubt: false,
      error: null,
      attempted: true,
    });
    expect(await worker.storedPost(by, post.id)).toMatchObject({
      version: 2,
      text: 'Two',
      networkSync: { status: 'synced', liveText: 'Two' },
    });
  });

  it('that was superseded completes without a request, and the last one applies the current saved state', async () => {
    const { by, post } = await worker.aPublishedPost();
    const first = await worker.change(by, post, { text: 'Two' });
    const last = await worker.change(by, post, { text: 'Three' });
    expect(await worker.runDueJobs()).toEqual(['completed', 'completed']);
    expect(worker.network.texts()).toEqual(['Three']);
    expect([await worker.job(first), await worker.job(last)]).toMatchObject([
      { status: 'completed', failures: [] },
      { status: 'completed', failures: [] },
    ]);
    expect(await worker.sync(post)).toMatchObject({
      status: 'synced',
      job_id: last,
      live: { text: 'Three' },
    });
  });

  it('that was reverted before it was sent completes without a request', async () => {
    const { by, post } = await worker.aPublishedPost();
    await worker.change(by, post, { text: 'Two' });
    await worker.change(by, post, { text: 'One' });
    expect(await worker.runDueJobs()).toEqual(['completed', 'completed']);
    expect(worker.network.edits).toEqual([]);
    expect(await worker.sync(post)).toMatchObject({ status: 'synced', live: { text: 'One' } });
  });

  it('made while another one is in flight is applied by its own job afterwards', async () => {
    const { by, post } = await worker.aPublishedPost();
    await worker.change(by, post, { text: 'Two' });
    let later = '';
    worker.network.respondWith(async () => {
      later = await worker.change(by, post, { text: 'Three' });
      return { kind: 'edited' };
    });
    expect(await worker.runDueJobs()).toEqual(['completed']);
    expect(await worker.sync(post)).toMatchObject({
      status: 'pending',
      job_id: later,
      live: { text: 'Two' },
      in_doubt: false,
    });
    expect(await worker.runDueJobs()).toEqual(['completed']);
    expect(worker.network.texts()).toEqual(['Two', 'Three']);
    expect(await worker.sync(post)).toMatchObject({ status: 'synced', live: { text: 'Three' } });
  });

  it('of a post that was deleted meanwhile fails with that reason', async () => {
    const { by, post } = await worker.aPublishedPost();
    const job = await worker.change(by, post, { text: 'Two' });
    await worker.remove(by, [post.id]);
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      failures: [
        {
          id: post.id,
          code: 'POST_NOT_FOUND',
          message: 'The post was deleted before its change reached the network.',
        },
      ],
    });
    expect(worker.network.edits).toEqual([]);
  });

  it('is applied on the sandbox for sandbox accounts of any network, by the document id', async () => {
    const { by, post } = await worker.aPublishedPost({ network: 'linkedin', sandbox: true });
    await worker.change(by, post, { text: 'Two' });
    expect(await worker.runDueJobs()).toEqual(['completed']);
    expect(worker.network.edits).toMatchObject([{ remoteId: post.id, credentials: {} }]);
  });

  it.each([
    [
      'NETWORK_NOT_CONNECTED',
      { network: 'linkedin' as const },
      'The gateway neither publishes nor edits posts on linkedin.',
    ],
  ])('without a connection to the network fails: %s', async (code, account, message) => {
    const { by, post } = await worker.aPublishedPost(account);
    const job = await worker.change(by, post, { text: 'Two' });
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      failures: [{ id: post.id, code, message }],
    });
    expect(await worker.sync(post)).toMatchObject({
      status: 'failed',
      error: message,
      live: { text: 'One' },
      in_doubt: false,
    });
    expect(await worker.storedPost(by, post.id)).toMatchObject({ text: 'Two', version: 2 });
  });

  it('whose credentials cannot be decrypted fails immediately; the remedy is only in the log', async () => {
    const { by, post } = await worker.aPublishedPost();
    const job = await worker.change(by, post, { text: 'Two' });
    jest
      .spyOn(worker.credentials, 'open')
      .mockResolvedValueOnce(new Error('CREDENTIALS_KEY is not set'));
    expect(await worker.runDueJobs()).toEqual(['failed']);
    const message = `The gateway cannot decrypt the credentials of the account ${post.account!.name}. The reason is in the server log.`;
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      attempts: 1,
      failures: [{ id: post.id, code: 'NETWORK_NOT_CONNECTED', message }],
    });
    expect(await worker.sync(post)).toMatchObject({
      status: 'failed',
      error: message,
      live: { text: 'One' },
      in_doubt: false,
    });
    expect([worker.loggedErrors, worker.network.edits]).toEqual([
      ['CREDENTIALS_KEY is not set'],
      [],
    ]);
  });
});
