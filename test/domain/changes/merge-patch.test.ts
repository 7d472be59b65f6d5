import fc from 'fast-check';
import {
  patchedFields,
  mergePatch,
  type PatchReferences,
} from '../../../src/domain/changes/merge-patch.js';
import { linkOf } from '../../../src/domain/posts/presented-settings.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { aPost } from '../../fixtures/posts.js';

const NONE: PatchReferences = {
  labels: [],
  mediaById: new Map(),
  mediaByUrl: new Map(),
  mediaFiles: new Map(),
};
const merge = (post: Post, patch: PostPatch): Post => mergePatch(post, patch, NONE);

test('absent fields are kept, null clears, arrays replace, objects merge key by key', () => {
  const post = aPost({
    title: 'Title',
    tags: ['a', 'b'],
    details: { language: 'de', feed: true, sponsor: { id: '1', name: 'S' } },
    location: { id: '1', name: 'Köln' },
  });
  expect(
    merge(post, {
      tags: ['c'],
      title: null,
      details: { feed: null, comment: true, sponsor: { name: 'T' } },
    }),
  ).toEqual({
    ...post,
    tags: ['c'],
    title: null,
    details: { language: 'de', comment: true, sponsor: { id: '1', name: 'T' } },
  });
  expect(merge(post, { text: null, tags: null, details: null, location: null })).toMatchObject({
    text: '',
    tags: [],
    details: null,
    location: null,
  });
  expect(
    merge(post, { details: { language: null, feed: null, sponsor: null } }).details,
  ).toBeNull();
});

test('url and link.url are one value', () => {
  const post = aPost({ url: 'https://a.example', link: { title: 'A' } });
  expect(linkOf(merge(post, { url: 'https://b.example' }))).toEqual({
    title: 'A',
    url: 'https://b.example',
  });
  expect(merge(post, { link: { url: 'https://b.example' } })).toMatchObject({
    url: 'https://b.example',
    link: { title: 'A' },
  });
  expect(merge(post, { link: { title: null } })).toMatchObject({
    url: 'https://a.example',
    link: null,
  });
  expect(merge(post, { link: null })).toMatchObject({ url: null, link: null });
  expect(merge(post, { link: { url: null } })).toMatchObject({ url: null, link: { title: 'A' } });
  expect(merge(post, { url: null })).toMatchObject({ url: null, link: { title: 'A' } });
});

test('on a blog url is the slug, and the link has its own url', () => {
  const post = aPost({ network: 'wordpress', url: 'my-post', link: { url: 'https://a.example' } });
  expect(merge(post, { url: 'other' })).toMatchObject({
    url: 'other',
    link: { url: 'https://a.example' },
  });
  expect(merge(post, { link: { url: 'https://b.example' } })).toMatchObject({
    url: 'my-post',
    link: { url: 'https://b.example' },
  });
});

test('reminder equals details.reminder', () => {
  const post = merge(aPost(), { details: { reminder: true } });
  expect([
    post.reminder,
    merge(post, { details: { reminder: null } }).reminder,
    merge(post, { details: null }).reminder,
  ]).toEqual([true, false, false]);
});

const word = fc.constantFrom(null, 'a', 'b');
const patches: fc.Arbitrary<PostPatch> = fc.record(
  {
    text: word,
    title: word,
    url: word,
    tags: fc.option(fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 })),
    link: fc.option(fc.record({ url: word, title: word, description: word }, { requiredKeys: [] })),
    details: fc.option(
      fc.record(
        {
          language: word,
          reminder: fc.option(fc.boolean()),
          sponsor: fc.option(fc.record({ id: word, name: word }, { requiredKeys: [] })),
        },
        { requiredKeys: [] },
      ),
    ),
    recycling: fc.option(
      fc.record(
        { gap: fc.option(fc.nat()), gapFreq: fc.constantFrom(null, 'days' as const) },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);
const posts = fc
  .tuple(
    fc.constantFrom('mastodon' as const, 'wordpress' as const),
    fc.array(patches, { maxLength: 3 }),
  )
  .map(([network, history]) => history.reduce(merge, aPost({ network })));

test('an empty patch changes nothing, and patching is idempotent', () => {
  fc.assert(
    fc.property(posts, patches, (post, patch) => {
      expect(patchedFields(post, merge(post, {}))).toEqual([]);
      const once = merge(post, patch);
      expect(patchedFields(once, merge(once, patch))).toEqual([]);
      expect(patchedFields(post, once)).toEqual(patchedFields(once, post));
    }),
    { numRuns: 500, seed: 6 },
  );
});
