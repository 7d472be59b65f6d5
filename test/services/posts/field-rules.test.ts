import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import type { PostType } from '../../../src/domain/enums.js';
import {
  refusalsOf,
  updatedPost,
  type TestServices,
  withServices,
} from '../../fixtures/services.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const services = withServices();
const viewer = forAllTests(() => services.aViewer());

const MEDIA = { path: 'https://media.example.com/a.jpg' };

/** A post with these fields as stored, without the rules of an update, and an update of it. */
async function aStoredPost(options: Partial<Parameters<TestServices['aPost']>[0]> = {}) {
  const post = await services.aPost({ by: viewer, ...options });
  return (patch: PostPatch) => services.update(viewer, post, patch);
}

test('an event cannot end before it starts, although start and end come in two requests', async () => {
  const update = await aStoredPost();
  await update({ details: { type: 'event', start: '2026-12-02T10:00:00Z' } });
  const early = { end: '2026-12-02T10:30:00+01:00' };
  expect(refusalsOf(await update({ details: early }))).toEqual(['RULE_VIOLATION details end']);
  const { details } = updatedPost(await update({ details: { end: '2026-12-02T12:00:00Z' } }));
  expect(refusalsOf(await update({ details: { start: '2026-12-02T12:00:01Z' } }))).toEqual([
    'RULE_VIOLATION details end',
  ]);
  expect(updatedPost(await update({})).details).toEqual(details);
  updatedPost(await update({ details: { start: '2026-12-03', end: null } }));
});

test('a stored event that is reversed keeps its dates until they change', async () => {
  const reversed = { start: '2026-12-02', end: '2026-12-01' };
  const update = await aStoredPost({ details: reversed });
  updatedPost(await update({ details: { title: 'Fair' } }));
  updatedPost(await update({ details: { ...reversed, title: 'Fête' } }));
  expect(refusalsOf(await update({ details: { end: '2026-11-30' } }))).toEqual([
    'RULE_VIOLATION details end',
  ]);
});

test('media with an ID and the path of another item is refused', async () => {
  const { url, id } = await services.aMedia({ workspaceId: viewer.workspace.id });
  const update = await aStoredPost();
  const refused = await update({ media: [MEDIA, { id, path: 'https://media.example.com/b.jpg' }] });
  expect(refusalsOf(refused)).toEqual(['RULE_VIOLATION media 1 path']);
  expect(updatedPost(await update({ media: [{ id, path: url }] })).media).toMatchObject([
    { id, url },
  ]);
});

test('a location is merged key by key', async () => {
  const update = await aStoredPost({ location: { id: 'l1', name: 'Köln' } });
  const locationAfter = async (location: PostPatch['location']) =>
    updatedPost(await update({ location: location! })).location;
  expect(await locationAfter({ name: 'Cologne' })).toEqual({ id: 'l1', name: 'Cologne' });
  expect(await locationAfter({ id: 'l2' })).toEqual({ id: 'l2', name: 'Cologne' });
  expect(await locationAfter({ name: null })).toEqual({ id: 'l2' });
  expect(await locationAfter(null)).toBeNull();
  expect(refusalsOf(await update({ location: { name: 'Nowhere' } }))).toEqual([
    'RULE_VIOLATION location id',
  ]);
});

test('url is a slug on a blog and a web URL elsewhere; a stored one may stay', async () => {
  const { workspace } = viewer;
  const account = await services.anAccount({ workspaceId: workspace.id, network: 'wordpress' });
  const onBlog = await aStoredPost({ account, type: 'article', url: 'Old Slug' });
  const elsewhere = await aStoredPost({ type: 'link', url: 'https://me@a.example/' });
  updatedPost(await onBlog({ url: 'Old Slug', title: 'New' }));
  updatedPost(await elsewhere({ url: 'https://me@a.example/', title: 'New' }));
  for (const url of ['two words', 'a/b', 'Upper', '', 'x'.repeat(201)])
    expect(refusalsOf(await onBlog({ url }))).toEqual(['RULE_VIOLATION url']);
  for (const url of ['https://me:pw@b.example/', 'https://b.example:65536/', 'slug'])
    expect(refusalsOf(await elsewhere({ url }))).toEqual(['RULE_VIOLATION url']);
  for (const url of ['straße', null]) expect(updatedPost(await onBlog({ url })).url).toBe(url);
});

test.each<[PostType, 'facebook' | 'youtube' | 'linkedin']>([
  ['photo', 'facebook'],
  ['gif', 'facebook'],
  ['video', 'facebook'],
  ['reel', 'facebook'],
  ['story', 'facebook'],
  ['carousel', 'facebook'],
  ['short', 'youtube'],
  ['document', 'linkedin'],
])('a text post becomes a %s on %s only with media', async (type, network) => {
  const account = await services.anAccount({ workspaceId: viewer.workspace.id, network });
  const update = await aStoredPost({ account, type: 'status' });
  for (const media of [undefined, null, []])
    expect(refusalsOf(await update({ type, media }))).toEqual(['RULE_VIOLATION type']);
  expect(updatedPost(await update({ type, media: [MEDIA] })).type).toBe(type);
  updatedPost(await update({ text: 'New' }));
});
