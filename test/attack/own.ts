import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema } from 'graphql';
import type { KeyedViewer } from '../fixtures/records.js';
import type { Attacked } from './attacked.js';
import { placesIn } from './places.js';
import { v1Places } from './v1-places.js';

/** Posts of the attacker's own that operations name: with them an answer has something to show. */
export const OWN = {
  series: 'aaaaaaaaaaaaaaaaaaaaaaaa',
  post: 'bbbbbbbbbbbbbbbbbbbbbbbb',
  published: 'dddddddddddddddddddddddd',
} as const;
const NOTHING = 'cccccccccccccccccccccccc';

export const SCHEMA = buildSchema(
  readFileSync(path.resolve(__dirname, '../../src/graphql/schema.graphql'), 'utf8'),
);

/** What a part of a post has to have beside the field in question, through either door. */
const BESIDE = {
  'FeaturedMediaInput.path': 'https://example.com/a.png',
  'ContentBlockInput.type': 'paragraph',
  'ContentBlockInput.data': {},
  'LocationInput.id': 'here',
  'LabelInput.name': 'own',
};

/** Every argument of GraphQL, among what the attacker has. Changes are dry runs: they do all and take it back. */
export const PLACES = placesIn(SCHEMA, {
  arguments: {
    'Query.post.id': `"${OWN.series}"`,
    'Query.posts.first': '3',
    'Query.jobStatus.id': '"job_none"',
    'Query.node.id': '"none"',
    'Query.nodes.ids': '["none"]',
  },
  fields: {
    'UpdatePostInput.id': OWN.post,
    'UpdatePostInput.post': {},
    'UpdatePostInput.dryRun': true,
    'DeletePostsInput.ids': [NOTHING, OWN.post],
    'DeletePostsInput.dryRun': true,
    ...BESIDE,
  },
});

/** Every parameter of REST v1 and of the sandbox, and every field of their bodies, likewise. */
export const V1_PLACES = v1Places({
  parameters: {
    id: OWN.published,
    job_id: 'job_none',
    'post_ids[]': NOTHING,
    'PUT /v1/posts/{id} id': OWN.post,
    'PUT /v1/posts/{id} dry_run': 'true',
    'DELETE /v1/posts dry_run': 'true',
  },
  fields: BESIDE,
  bodies: {
    'PUT /v1/posts/{id}': { post: {} },
    'PUT /sandbox/clock': { advance_seconds: 0 },
    'PUT /sandbox/{id}/faults': {},
  },
});

/** Makes these posts and what stands around them. */
export async function makeOwn(
  { records }: Pick<Attacked, 'records'>,
  by: KeyedViewer,
): Promise<void> {
  const { id: workspaceId } = by.workspace;
  const account = await records.anAccount({
    workspaceId,
    network: 'facebook',
    type: 'page',
    sandbox: true,
  });
  const series = await records.aPost({
    by,
    account,
    id: OWN.series,
    cell: 'recurring',
    recurring: { repeat: 'daily', startDate: '2030-06-10T08:00:00Z' },
  });
  await records.aPost({
    by,
    account,
    id: OWN.post,
    parentId: series.databaseId,
    labels: [await records.aLabel({ workspaceId, name: 'apple' })],
  });
  await records.aPost({ by, account, id: OWN.published, cell: 'published_posted' });
  await records.aMedia({ workspaceId });
}
