import { expectSeries, scrapeMetrics, seriesOf } from '../../fixtures/metric-series.js';
import { aFileServer, serving, type FileServer } from '../../fixtures/file-server.js';
import { gatewayWith } from '../../fixtures/gateway.js';
import { forAllTests } from '../../fixtures/lifecycle.js';
import { aForm, aPdf, aVideo } from '../../fixtures/media-files.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { expectError } from '../v1-client.js';

const GIGABYTE = 1_024 ** 3;
const ofBusiness = (business: number) => ({ free: 0, professional: 0, business });
const gateway = forAllTests(() =>
  gatewayWith({
    networksAllowLoopback: true,
    mediaGigabytes: ofBusiness(1),
    mediaOpenUploads: ofBusiness(2),
    mediaWaitingImports: ofBusiness(3),
    metricsPort: 0,
  }),
);
let server: FileServer;
beforeAll(async () => {
  server = await aFileServer({ '/a.pdf': serving(aPdf()), '/a.mp4': serving(aVideo(1_000)) });
});
afterAll(async () => {
  server.close();
  await gateway.close();
});

/** A member of a new workspace, whose files leave this many bytes. */
async function aMember(bytesLeft = GIGABYTE): Promise<KeyedViewer> {
  const viewer = await gateway.records.aViewer();
  const { id } = await gateway.records.aMedia({ workspaceId: viewer.workspace.id });
  await gateway.db.pool.query(
    "INSERT INTO media_file (media_id, status, token, bytes, storage_key, content_type) VALUES ($1, 'ready', 't', $2, $1, 'image/png')",
    [id, GIGABYTE - bytesLeft],
  );
  return viewer;
}
const countMedia = (viewer: KeyedViewer): Promise<number> =>
  gateway.db.prisma.media.count({ where: { workspaceId: viewer.workspace.id } });
const upload = (viewer: KeyedViewer, content: Uint8Array) =>
  gateway.request('/v1/media', {
    method: 'POST',
    body: aForm(content),
    caller: { as: viewer },
  });
const mutate = async (as: KeyedViewer, field: string, input: object): Promise<any> => {
  const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
  const { body } = await gateway.graphql(
    `mutation($input: ${type}!) { ${field}(input: $input) { userErrors { code message field rule } } }`,
    { input },
    { as },
  );
  return body.data[field].userErrors;
};
const importFiles = (as: KeyedViewer, paths: readonly string[], idempotencyKey?: string) =>
  mutate(as, 'importMedia', { urls: paths.map((path) => server.url + path), idempotencyKey });
const createUpload = (as: KeyedViewer, bytes = 1_000) =>
  mutate(as, 'createMediaUpload', { name: 'a.mp4', bytes });

describe('quotas of media', () => {
  it('files use up bytes, through both APIs', async () => {
    const viewer = await aMember(aPdf().length);
    const video = await upload(viewer, aVideo(aPdf().length + 1));
    expectError(video, 422, 'MEDIA_QUOTA_EXCEEDED');
    expect(video.body.errors).toEqual([
      'The files of the workspace have 1 GB, and may have at most 1 GB with this one. An operator can raise the quota.',
    ]);
    expect(await createUpload(viewer, aPdf().length + 1)).toEqual([
      {
        code: 'MEDIA_QUOTA_EXCEEDED',
        message: video.body.message,
        field: ['input', 'bytes'],
        rule: 'D63',
      },
    ]);
    expect(await countMedia(viewer)).toBe(1);
    expect((await upload(viewer, aPdf())).status).toBe(200);
    const [error] = await importFiles(viewer, ['/a.pdf']);
    expect(error).toMatchObject({ code: 'MEDIA_QUOTA_EXCEEDED', field: ['input', 'urls'] });
    expect(await countMedia(viewer)).toBe(2);
  });

  it('upload URLs use up their number and their bytes', async () => {
    const viewer = await aMember(2_000);
    expect(await createUpload(viewer, 1_001)).toEqual([]);
    expect((await createUpload(viewer, 1_000))[0].field).toEqual(['input', 'bytes']);
    expect(await createUpload(viewer, 10)).toEqual([]);
    expect(await createUpload(viewer, 10)).toEqual([
      {
        code: 'MEDIA_QUOTA_EXCEEDED',
        message:
          'The workspace has 2 upload URLs that accept a file, and may have at most 2. Use one of them, or wait until one expires.',
        field: null,
        rule: 'D63',
      },
    ]);
  });

  it('concurrent requests do not exceed them', async () => {
    const viewer = await aMember();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => createUpload(viewer)));
    expect(outcomes.filter((errors) => errors.length === 0)).toHaveLength(2);
    const other = await aMember();
    const imports = await Promise.all(
      Array.from({ length: 10 }, () => importFiles(other, ['/a.pdf'])),
    );
    expect(imports.filter((errors) => errors.length === 0)).toHaveLength(3);
    expect([await countMedia(viewer), await countMedia(other)]).toEqual([3, 4]);
  });

  it('imports wait for their files, and are checked again when these arrive', async () => {
    const viewer = await aMember(900);
    expect(await importFiles(viewer, ['/a.mp4', '/a.pdf'])).toEqual([]);
    const tooMany = await importFiles(viewer, ['/a.pdf', '/a.pdf'], 'key');
    expect(tooMany).toEqual([
      {
        code: 'MEDIA_QUOTA_EXCEEDED',
        message:
          'The workspace waits for 2 imported files, and may wait for at most 3; this import has 2. Wait until jobs have fetched some of them.',
        field: ['input', 'urls'],
        rule: 'D63',
      },
    ]);
    const v1 = await gateway.v1('POST', '/media/from-url', {
      as: viewer,
      body: { media: [{ url: `${server.url}/a.pdf` }, { url: `${server.url}/a.pdf` }] },
    });
    expectError(v1, 422, 'MEDIA_QUOTA_EXCEEDED');
    expect(v1.body.errors).toEqual([tooMany[0].message]);
    gateway.startWorker();
    const usage = async () => (await gateway.v1('GET', '/media/usage', { as: viewer })).body;
    await waitFor(async () => (await usage()).waiting_imports.used === 0);
    const files = await gateway.db.prisma.mediaFile.findMany({
      where: { workspaceId: viewer.workspace.id, jobId: { not: null } },
      select: { status: true, error: true },
      orderBy: { status: 'asc' },
    });
    expect(files).toEqual([
      { status: 'ready', error: null },
      { status: 'failed', error: expect.stringMatching(/^The files of the workspace have 1 GB/) },
    ]);
    // The refusal is not what the key stands for.
    expect(await importFiles(viewer, ['/a.pdf', '/a.pdf'], 'key')).toEqual([]);
  });

  it('are told through both APIs', async () => {
    const viewer = await aMember(GIGABYTE - 5_000);
    await createUpload(viewer, 1_000);
    expect((await gateway.v1('GET', '/media/usage', { as: viewer })).body).toEqual({
      bytes: { used: 6_000, limit: GIGABYTE, remaining: GIGABYTE - 6_000 },
      open_uploads: { used: 1, limit: 2, remaining: 1 },
      waiting_imports: { used: 0, limit: 3, remaining: 3 },
    });
    const FIELDS = 'used limit remaining';
    const { body } = await gateway.graphql(
      `{ viewer { workspace { mediaUsage { bytes { ${FIELDS} } openUploads { ${FIELDS} } waitingImports { ${FIELDS} } } } } }`,
      {},
      { as: viewer },
    );
    expect(body.data.viewer.workspace.mediaUsage).toEqual({
      bytes: { used: 6_000, limit: GIGABYTE, remaining: GIGABYTE - 6_000 },
      openUploads: { used: 1, limit: 2, remaining: 1 },
      waitingImports: { used: 0, limit: 3, remaining: 3 },
    });
  });

  it('follow the plan of the owner', async () => {
    const viewer = await aMember();
    await gateway.db.pool.query("UPDATE app_user SET plan = 'free' WHERE id = $1", [
      viewer.user.id,
    ]);
    const member = await gateway.records.aViewer({ workspaceId: viewer.workspace.id });
    expectError(await upload(member, aPdf()), 422, 'MEDIA_QUOTA_EXCEEDED');
  });

  it('count what they reject', async () => {
    const METRIC = 'posts_gateway_media_quota_rejections_total';
    const before = seriesOf(await scrapeMetrics(gateway.metricsUrl), METRIC);
    const viewer = await aMember(0);
    expectError(await upload(viewer, aPdf()), 422, 'MEDIA_QUOTA_EXCEEDED');
    await expectSeries(gateway.metricsUrl, METRIC, {
      ...before,
      '{quota="bytes"}': before['{quota="bytes"}']! + 1,
    });
  });
});
