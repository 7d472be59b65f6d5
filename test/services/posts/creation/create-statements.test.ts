import type { Viewer } from '../../../../src/domain/access/viewer.js';
import type { Account } from '../../../../src/domain/posts/post.js';
import { createdPosts, targetsOf, withServices } from '../../../fixtures/services.js';
import { recordStatements } from '../../../fixtures/statements.js';

const services = withServices();

const someAccounts = ({ workspace }: Viewer, count: number): Promise<Account[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      services.anAccount({ sandbox: true, workspaceId: workspace.id }),
    ),
  );

test('posts with the same content are stored as one content, and others keep what differs', async () => {
  const viewer = await services.aViewer();
  const accounts = await someAccounts(viewer, 4);
  const tags = [[], ['a'], [], ['a']];
  const { result, statements } = await recordStatements(() =>
    services.create(viewer, {
      post: { type: 'status', text: 'Shared', details: { language: 'en' } },
      targets: targetsOf(...accounts).map((target, index) => ({
        ...target,
        post: tags[index]!.length > 0 ? { tags: tags[index]! } : {},
      })),
    }),
  );
  const stored = [];
  for (const { id } of createdPosts(result)) stored.push(await services.storedPost(viewer, id));
  expect(stored).toMatchObject(
    accounts.map(({ id }, index) => ({
      accountId: id,
      text: 'Shared',
      details: { language: 'en' },
      tags: tags[index],
    })),
  );
  const same = await recordStatements(() =>
    services.create(viewer, {
      post: { type: 'status', text: 'The same for all' },
      targets: targetsOf(...accounts),
    }),
  );
  const inserts = [statements, same.statements].map((all) =>
    all.find(({ text }) => text.includes('INSERT INTO post_body'))!,
  );
  expect(
    inserts.map(({ values }) => (JSON.parse(values[0] as string) as unknown[]).length),
  ).toEqual([4, 1]);
});

test('25 posts take as many statements as one', async () => {
  const viewer = await services.aViewer();
  const accounts = await someAccounts(viewer, 25);
  const { statements } = await recordStatements(() =>
    services.create(
      viewer,
      {
        post: { type: 'status', text: 'For all' },
        targets: targetsOf(...accounts),
      },
      { duplicates: 'refuse' },
    ),
  );
  const texts = statements.map(({ text }) => text).filter((text) => !text.includes('pg_notify'));
  expect(texts).toEqual([
    expect.stringContaining('FROM account'),
    expect.stringContaining('DISTINCT ON'),
    expect.stringContaining('nextval'),
    'BEGIN',
    expect.stringContaining('pg_advisory_xact_lock'),
    expect.stringContaining('JOIN cap_slot'),
    expect.stringContaining('INSERT INTO post'),
    expect.stringContaining('INSERT INTO cap_slot'),
    expect.stringContaining('INSERT INTO event'),
    'COMMIT',
  ]);
});
