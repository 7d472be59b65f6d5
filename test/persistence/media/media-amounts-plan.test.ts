import { createMediaFileStore } from '../../../src/persistence/media/media-file-store.js';
import { recordStatements } from '../../fixtures/statements.js';
import { testServices, type TestServices } from '../../fixtures/services.js';
import { planOf } from '../posts/plans.js';

const [FILES, OTHERS] = [50_000, 50_000];

let services: TestServices;
let workspaceId: string;
beforeAll(async () => {
  services = await testServices();
  const { sql, aWorkspace } = services;
  ({ id: workspaceId } = await aWorkspace());
  const { id: otherId } = await aWorkspace();
  const addFiles = async (id: string, count: number): Promise<void> => {
    await sql(
      `WITH added AS (INSERT INTO media (id, workspace_id, type, url) SELECT 'med_' || $1 || n, $1, 'photo', 'https://example.com/' || n FROM generate_series(1, $2::int) n RETURNING id)
       INSERT INTO media_file (media_id, workspace_id, status, token, bytes, storage_key, content_type) SELECT id, $1, 'ready', 't', 1000, id, 'image/png' FROM added`,
      id,
      count,
    );
  };
  await addFiles(workspaceId, FILES);
  await addFiles(otherId, OTHERS);
  await sql('VACUUM ANALYZE media_file');
});
afterAll(() => services.database.drop());

it('the amounts of a workspace are summed up in an index', async () => {
  const { amountsOf } = createMediaFileStore(services.database);
  const { result, statements } = await recordStatements(() =>
    amountsOf([workspaceId], services.clock.now()),
  );
  expect(result.get(workspaceId)).toEqual({
    bytes: 1_000 * FILES,
    openUploads: 0,
    waitingImports: 0,
  });
  expect(statements).toHaveLength(1);
  const nodes = await planOf(services.database.pool, statements[0]!);
  expect(nodes.filter(({ relation }) => relation !== null)).toEqual([
    {
      type: 'Index Only Scan',
      relation: 'media_file',
      index: 'media_file_usage_idx',
      rows: FILES,
    },
  ]);
});
