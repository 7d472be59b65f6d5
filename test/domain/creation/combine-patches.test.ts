import fc from 'fast-check';
import {
  mergePatch,
  type PatchReferences,
  combinePatches,
} from '../../../src/domain/changes/merge-patch.js';
import type { Network } from '../../../src/domain/networks/networks.js';
import type { Media } from '../../../src/domain/posts/post-content.js';
import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { type Post, BLANK_POST } from '../../../src/domain/posts/post.js';
import { aPost } from '../../fixtures/posts.js';

const media = (id: string): Media => ({
  id,
  type: 'photo',
  url: `https://media.example/${id}`,
  altText: null,
  title: null,
});
/** The records that any of the patches refers to. */
const referencesOf = (patch: PostPatch): PatchReferences => ({
  labels: (patch.labels ?? []).map(({ name }) => ({ id: name, name, color: '#808080' })),
  mediaById: new Map(['a', 'b'].map((id) => [id, media(id)])),
  mediaByUrl: new Map(['a', 'b'].map((id) => [media(id).url, media(id)])),
  mediaFiles: new Map(),
});

const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(value, { freq: 4, nil: null });
const partial = <T extends object>(shape: {
  [K in keyof T]: fc.Arbitrary<T[K]>;
}): fc.Arbitrary<Partial<T>> => fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<Partial<T>>;

const word = fc.constantFrom('a', 'b', 'c');
const url = fc.constantFrom('https://a.example', 'https://b.example');
const words = fc.array(word, { maxLength: 2 });
const anyPatch: fc.Arbitrary<PostPatch> = partial({
  type: fc.constantFrom('status', 'link'),
  text: nullable(word),
  title: nullable(word),
  tags: nullable(words),
  labels: nullable(fc.array(fc.record({ name: word }), { maxLength: 2 })),
  media: nullable(fc.array(fc.record({ id: fc.constantFrom('a', 'b') }), { maxLength: 2 })),
  featuredMedia: nullable(fc.constantFrom({ path: media('a').url }, { path: media('b').url })),
  details: nullable(
    partial({
      language: nullable(word),
      feed: nullable(fc.boolean()),
      sponsor: nullable(partial({ id: nullable(word), name: nullable(word) })),
    }),
  ),
  location: nullable(partial({ id: word, name: nullable(word) })),
  networkOptions: nullable(partial({ boardId: nullable(word), sensitive: nullable(fc.boolean()) })),
  scheduledAt: nullable(fc.constantFrom(new Date(0), new Date(1_000))),
  url: nullable(url),
  link: nullable(partial({ url: nullable(url), title: nullable(word) })),
}) as fc.Arbitrary<PostPatch>;

const blank = (network: Network | null): Post => ({ ...aPost(), ...BLANK_POST, network });
const merge = (post: Post, patch: PostPatch): Post => mergePatch(post, patch, referencesOf(patch));

test('the combined patch has the effect of the patches one after another', () => {
  const networks = fc.constantFrom<Network | null>('mastodon', 'wordpress', null);
  fc.assert(
    fc.property(networks, fc.array(anyPatch, { maxLength: 4 }), (network, patches) => {
      const start = blank(network);
      expect(merge(start, combinePatches(network, patches))).toEqual(patches.reduce(merge, start));
    }),
    { numRuns: 2_000 },
  );
});

test('the patches are not changed', () => {
  const patches = [{ details: { sponsor: { id: '1' } } }, { details: { sponsor: { name: 'S' } } }];
  expect(combinePatches('mastodon', patches)).toEqual({
    details: { sponsor: { id: '1', name: 'S' } },
  });
  expect(patches).toEqual([
    { details: { sponsor: { id: '1' } } },
    { details: { sponsor: { name: 'S' } } },
  ]);
});
