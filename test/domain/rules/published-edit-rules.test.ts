import fc from 'fast-check';
import {
  editRefusal,
  publishedEditRefusals,
  editability,
} from '../../../src/domain/rules/edit-rules.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
import {
  PATCH_FIELDS,
  type PatchField,
  type PostPatch,
} from '../../../src/domain/posts/post-fields.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { STORED_STATES, isPublished, type StoredState } from '../../../src/domain/posts/states.js';
import { POST_TYPES, ROLES, enumKeys, type PostType } from '../../../src/domain/enums.js';
import { formatRefusals } from '../../../src/domain/rules/format-rules.js';
import { aPost, aViewer } from '../../fixtures/posts.js';

/** A value for each field of a patch that differs from what a plain post has. */
const SAMPLE: Required<PostPatch> = {
  type: 'photo',
  text: 'New',
  url: 'https://example.com',
  title: 'Title',
  excerpt: 'Short',
  question: 'Which?',
  duration: 2,
  featuredMedia: { path: 'https://example.com/a.jpg' },
  media: [],
  link: { title: 'Link' },
  details: { feed: true },
  recycling: { gap: 1 },
  recurring: { repeat: 'daily' },
  content: [],
  location: { id: '1', name: null },
  labels: [{ name: 'x' }],
  options: ['a', 'b'],
  tags: ['a'],
  categories: ['a'],
  sublinks: [],
  networkOptions: { boardId: '1' },
  scheduledAt: new Date('2027-01-01T00:00:00Z'),
};
const only = (field: PatchField): PostPatch => ({ [field]: SAMPLE[field] });

/**
 * The document's table "Fields updatable after publication", by network; `details.…` are settings
 * inside details. On a network that it does not list, only labels change.
 */
const DOCUMENT: Partial<Record<Network, readonly string[]>> = {
  linkedin: ['text', 'labels'],
  youtube: ['title', 'text', 'labels'],
  google: ['text', 'labels'],
  facebook: ['text', 'title (video)', 'details.textFormatPresetId', 'labels'],
  wordpress: [
    'title',
    'content',
    'excerpt',
    'url',
    'featuredMedia',
    'categories',
    'tags',
    'labels',
  ],
  telegram: ['text', 'labels'],
  mastodon: ['text', 'title', 'details.language', 'options (poll)', 'duration (poll)', 'labels'],
  twitter: ['labels'],
  pinterest: ['labels'],
  instagram: ['labels'],
  threads: ['labels'],
  bluesky: ['labels'],
  tiktok: ['labels'],
};
const fieldsOf = (network: Network): readonly string[] => DOCUMENT[network] ?? ['labels'];
const networks = enumKeys(NETWORKS);
const CASES = networks.flatMap((network) => PATCH_FIELDS.map((field) => [network, field] as const));
const owner = aViewer();

test.each(CASES)('%s after publication: %s', (network, field) => {
  for (const type of enumKeys(POST_TYPES)) {
    const post = aPost({ storedState: 'published_posted', network, type });
    const mayChange =
      fieldsOf(network).includes(field) || fieldsOf(network).includes(`${field} (${type})`);
    expect([type, publishedEditRefusals(post, only(field), owner).map((one) => one.code)]).toEqual([
      type,
      mayChange ? [] : ['RULE_VIOLATION'],
    ]);
  }
});

test.each(networks)(
  '%s: exactly the settings of details in the table can be changed',
  (network) => {
    const post = aPost({ storedState: 'published_posted', network });
    const verdict = (details: PostPatch['details']) =>
      publishedEditRefusals(post, { details }, owner).map((one) => one.path.join('.'));
    expect(verdict({ language: 'de' })).toEqual(
      fieldsOf(network).includes('details.language') ? [] : ['details.language'],
    );
    expect(verdict({ textFormatPresetId: '1' })).toEqual(
      fieldsOf(network).includes('details.textFormatPresetId')
        ? []
        : ['details.textFormatPresetId'],
    );
    expect(verdict({ feed: true, reminder: null })).toEqual(['details.feed', 'details.reminder']);
    expect(verdict(null)).toEqual(['details']);
  },
);

test.each([
  ['youtube', 'title', 100],
  ['youtube', 'text', 5000],
  ['google', 'text', 1500],
] as const)('%s %s has at most %i code points', (network, field, most) => {
  const post = aPost({ storedState: 'published_posted', network, type: 'video' });
  for (const letter of ['a', '🎉', 'é']) {
    expect(publishedEditRefusals(post, { [field]: letter.repeat(most) }, owner)).toEqual([]);
    expect(publishedEditRefusals(post, { [field]: letter.repeat(most + 1) }, owner)).toMatchObject([
      {
        code: 'RULE_VIOLATION',
        path: [field],
        message: expect.stringContaining(`at most ${most}`),
      },
    ]);
  }
  expect(
    publishedEditRefusals(
      { ...post, storedState: 'scheduled' },
      { [field]: 'a'.repeat(most + 1) },
      owner,
    ),
  ).toEqual([]);
});

test.each(['published_deleted', 'published_hidden'] as const)(
  '%s allows labels only, on every network',
  (storedState) => {
    for (const [network, field] of CASES) {
      expect(
        publishedEditRefusals(aPost({ storedState, network, type: 'video' }), only(field), owner)
          .length,
      ).toBe(field === 'labels' ? 0 : 1);
    }
    const post = aPost({ storedState, network: 'facebook', type: 'video' });
    expect(publishedEditRefusals(post, only('text'), owner)[0]!.message).toBe(
      `text cannot be changed, because the post was ${storedState.slice('published_'.length)} on its network. Only labels can be changed.`,
    );
  },
);

test('every other state allows all fields, on every network', () => {
  for (const storedState of (enumKeys(STORED_STATES) as readonly StoredState[]).filter(
    (one) => !isPublished(one),
  )) {
    for (const [network, field] of CASES)
      expect(publishedEditRefusals(aPost({ storedState, network }), only(field), owner)).toEqual(
        [],
      );
  }
});

test('every refused field is listed once', () => {
  const post = aPost({ storedState: 'published_posted', network: 'twitter' });
  expect(publishedEditRefusals(post, { ...SAMPLE }, owner).map((one) => one.path[0])).toEqual(
    PATCH_FIELDS.filter((field) => field !== 'labels'),
  );
});

describe('who may edit', () => {
  const cases = enumKeys(ROLES).flatMap((role) =>
    [true, false].flatMap((postActions) =>
      [true, false].flatMap((own) =>
        (
          ['scheduled', 'draft_private_dated', 'draft_public_dated', 'published_posted'] as const
        ).map((storedState) => ({ role, postActions, own, storedState })),
      ),
    ),
  );
  test.each(cases)(
    '$role, post actions $postActions, own $own, $storedState',
    ({ role, postActions, own, storedState }) => {
      const hasAccess = role === 'owner' || role === 'admin' || (role === 'editor' && postActions);
      const may =
        role !== 'viewer' && (own || (hasAccess && storedState !== 'draft_private_dated'));
      const refusal = editRefusal(
        aPost({ storedState, creatorId: own ? 'usr_1' : 'usr_2' }),
        aViewer({ role, postActions }),
      );
      expect(refusal?.code ?? null).toBe(may ? null : 'FORBIDDEN');
    },
  );
});

test('approval is required for the fields that the network shows', () => {
  const post = aPost({ storedState: 'published_posted', network: 'linkedin' });
  for (const role of enumKeys(ROLES)) {
    const viewer = aViewer({ role, workspace: { requiresApproval: true } });
    const codes = publishedEditRefusals(post, { text: 'x', labels: [] }, viewer).map(
      (one) => one.code,
    );
    expect(codes).toEqual(role === 'owner' || role === 'admin' ? [] : ['APPROVAL_REQUIRED']);
  }
});

const subjects = fc
  .record({
    storedState: fc.constantFrom(...(enumKeys(STORED_STATES) as readonly StoredState[])),
    network: fc.constantFrom(...networks),
    type: fc.constantFrom(...(enumKeys(POST_TYPES) as readonly PostType[])),
    creatorId: fc.constantFrom('usr_1', 'usr_2'),
    parentId: fc.constantFrom(null, 7),
    queuedAt: fc.constantFrom(null, new Date(0)),
  })
  .map((given): Post => aPost(given));
const viewers = fc
  .record({
    role: fc.constantFrom(...enumKeys(ROLES)),
    postActions: fc.boolean(),
    requiresApproval: fc.boolean(),
  })
  .map(({ requiresApproval, ...given }) => aViewer({ ...given, workspace: { requiresApproval } }));

test('editability of each field equals the result of updating it', () => {
  fc.assert(
    fc.property(subjects, viewers, (post, viewer) => {
      for (const { field, allowed, reason, appliesTo } of editability(post, viewer)) {
        const settings =
          field === 'details'
            ? [{ details: { language: 'de' } }, { details: { textFormatPresetId: '1' } }]
            : [only(field)];
        const isOpen = (patch: PostPatch): boolean =>
          editRefusal(post, viewer) === null &&
          publishedEditRefusals(post, patch, viewer).length === 0 &&
          (field !== 'recurring' ||
            !formatRefusals(post, post, patch).some((one) => one.path.join() === 'recurring'));
        const expected =
          field === 'scheduledAt'
            ? isOpen(only(field)) &&
              (post.storedState.startsWith('scheduled') || post.storedState.startsWith('draft'))
            : settings.some(isOpen);
        expect([field, allowed]).toEqual([field, expected]);
        if (!allowed) expect([reason !== null, appliesTo]).toEqual([true, 'service']);
      }
      expect(editability(post, viewer).map((one) => one.field)).toEqual([...PATCH_FIELDS]);
    }),
    { numRuns: 500, seed: 5 },
  );
});
