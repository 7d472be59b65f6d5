import { eventsOfWorkspace } from '../../fixtures/event-rows.js';
import { aFileServer, type FileServer, serving } from '../../fixtures/file-server.js';
import { gatewayWith } from '../../fixtures/gateway.js';
import { aPdf, aPicture } from '../../fixtures/media-files.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { expectError } from '../v1-client.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

let server: FileServer;
const gateway = forAllTests(() => gatewayWith({ networksAllowLoopback: true }));
beforeAll(async () => {
  server = await aFileServer({
    '/shop.jpg': serving(await aPicture('png')),
    '/terms.pdf': serving(aPdf()),
    '/page.png': serving(Buffer.from('<html><script>')),
  });
  gateway.startWorker();
});
afterAll(async () => {
  server.close();
  await gateway.close();
});

const finished = async (jobId: string) => {
  const status = async () => (await gateway.v1('GET', `/job_status/${jobId}`)).body;
  await waitFor(async () => (await status()).status !== 'working');
  return status();
};
const countMedia = (): Promise<number> => gateway.db.prisma.media.count();

describe('importing media (D63)', () => {
  it('fetches files in a job, through v1', async () => {
    const { status, body } = await gateway.v1('POST', '/media/from-url', {
      body: {
        media: [
          { url: `${server.url}/shop.jpg`, name: 'Shop', caption: 'In autumn' },
          { url: `${server.url}/page.png` },
          { url: `${server.url}/missing.png` },
        ],
      },
    });
    expect(status).toBe(202);
    const job = await finished(body.job_id as string);
    const { host } = new URL(server.url);
    expect(job.status).toBe('completed');
    expect(
      Object.values(job.payload.failures as Record<string, string[]>)
        .flat()
        .sort(),
    ).toEqual([
      `${host} responded with status 404.`,
      expect.stringMatching(/^The file has none of the accepted formats/) as string,
    ]);
    const [media] = (await gateway.v1('GET', '/media')).body.media.filter(
      ({ alt_text }: { alt_text: string }) => alt_text === 'In autumn',
    );
    expect(media).toMatchObject({ type: 'photo' });
    expect((await fetch(media.url as string)).headers.get('content-type')).toBe('image/png');
    const events = (await eventsOfWorkspace(gateway.db.pool, gateway.owner.workspace.id)).slice(-4);
    expect(events.map(({ type }) => type).sort()).toEqual([
      'job.finished',
      'media.failed',
      'media.failed',
      'media.ready',
    ]);
    expect(events[0]).toMatchObject({ api: 'service', userId: null, visibleTo: null });
  });

  it('returns the media and the job, through GraphQL', async () => {
    const IMPORT = `mutation($input: ImportMediaInput!) { importMedia(input: $input) {
      media { id url ready error bytes } job { id kind status } userErrors { code message field rule } clientMutationId } }`;
    const input = {
      urls: [`${server.url}/terms.pdf`],
      idempotencyKey: 'terms',
      clientMutationId: 'c',
    };
    const { body } = await gateway.graphql(IMPORT, { input });
    const first = body.data.importMedia;
    expect(first).toMatchObject({
      media: [{ ready: false, error: null, bytes: null }],
      job: { kind: 'MEDIA' },
      userErrors: [],
      clientMutationId: 'c',
    });
    await finished(first.job.id as string);
    const count = await countMedia();
    const again = (await gateway.graphql(IMPORT, { input })).body.data.importMedia;
    expect(again).toMatchObject({
      media: [{ id: first.media[0].id, ready: true, bytes: aPdf().length }],
      job: { id: first.job.id, status: 'COMPLETED' },
    });
    const other = { ...input, urls: [`${server.url}/shop.jpg`] };
    expect((await gateway.graphql(IMPORT, { input: other })).body.data.importMedia).toMatchObject({
      media: [],
      job: null,
      userErrors: [{ code: 'IDEMPOTENCY_MISMATCH', field: ['input', 'idempotencyKey'] }],
    });
    expect(await countMedia()).toBe(count);
  });

  it('changes nothing in a dry run', async () => {
    const before = [await countMedia(), await gateway.db.prisma.job.count()];
    const url = `${server.url}/never.png`;
    const { body } = await gateway.graphql(
      'mutation($input: ImportMediaInput!) { importMedia(input: $input) { media { id url } job { id } userErrors { code } } }',
      { input: { urls: [url], dryRun: true } },
    );
    expect(body.data.importMedia).toEqual({
      media: [{ id: 'dry_run_media_1', url }],
      job: null,
      userErrors: [],
    });
    const v1 = await gateway.v1('POST', '/media/from-url?dry_run=true', {
      body: { media: [{ url }] },
    });
    expect([v1.status, v1.body, v1.headers.get('x-dry-run')]).toEqual([
      200,
      { media: [{ id: 'dry_run_media_1', path: url, name: null, caption: null }] },
      'true',
    ]);
    expect([await countMedia(), await gateway.db.prisma.job.count()]).toEqual(before);
    expect(server.requests.get('/never.png')).toBeUndefined();
  });

  it('replays through v1 with an idempotency key', async () => {
    const send = () =>
      gateway.v1('POST', '/media/from-url', {
        body: { media: [{ url: `${server.url}/terms.pdf` }] },
        headers: { 'Idempotency-Key': 'v1-terms' },
      });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.body]).toEqual([first.status, first.body]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    await finished(first.body.job_id as string);
  });

  it.each([
    ['https://10.0.0.1/a.png', 'cannot be fetched: 10.0.0.1 is not a public address.'],
    [
      'http://example.com/a.png',
      'cannot be fetched: http://example.com does not start with https://.',
    ],
  ])('refuses %s through both APIs', async (url, reason) => {
    const before = await countMedia();
    const v1 = await gateway.v1('POST', '/media/from-url', { body: { media: [{ url }] } });
    expectError(v1, 422, 'RULE_VIOLATION');
    expect(v1.body.errors).toEqual([`media.0.url ${reason}`]);
    const { body } = await gateway.graphql(
      'mutation($input: ImportMediaInput!) { importMedia(input: $input) { media { id } userErrors { code message field rule } } }',
      { input: { urls: [`${server.url}/shop.jpg`, url] } },
    );
    expect(body.data.importMedia).toEqual({
      media: [],
      userErrors: [
        {
          code: 'RULE_VIOLATION',
          message: `urls.1 ${reason}`,
          field: ['input', 'urls', '1'],
          rule: 'D63',
        },
      ],
    });
    expect(await countMedia()).toBe(before);
  });

  it.each([
    [{}, 'body: requires media'],
    [{ media: [] }, 'media: must have at least 1 item'],
    [{ media: [{ url: 'x' }] }, /^media\[0\]\.url: must be an http or https URL/],
    [{ media: [{ url: 'https://e.com/a', size: 1 }] }, /^media\[0\]\.size: unknown key/],
    [{ media: Array(51).fill({ url: 'https://e.com/a' }) }, /at most 50 items; it has 51/],
  ])('rejects the body %j', async (body, message) => {
    const response = await gateway.v1('POST', '/media/from-url', { body });
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body.errors).toEqual([
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
  });
});
