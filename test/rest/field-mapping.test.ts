import fc from 'fast-check';
import {
  getNamedType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { ShapeKey } from '../../src/domain/input/shapes.js';
import { PATCH_FIELDS } from '../../src/domain/posts/post-fields.js';
import { SHAPES } from '../../src/domain/posts/post-settings.js';
import { toSnakeCase } from '../../src/domain/snake-case.js';
import { presentPath } from '../../src/rest/errors.js';
import { createFieldMapping, v1FieldsOf } from '../../src/rest/field-mapping.js';
import { listFiles, readText } from '../architecture/source-files.js';
import { graphqlIdentifiersIn } from '../fixtures/graphql-identifiers.js';
import { postPatch } from './post-patch-type.js';

const fieldMapping = createFieldMapping(postPatch);
const read = (post: unknown) => fieldMapping.readPost({ post });
const paths = (post: unknown): string[] => read(post).problems.map(({ path }) => presentPath(path));
const patchOf = (post: unknown) => {
  const { patch, problems } = read(post);
  expect(problems).toEqual([]);
  return patch;
};

/** Fields of "Update post" and its objects in the interface document. */
const DOCUMENTED_FIELDS = {
  PostPatch:
    'type text url title excerpt question duration featured_media media link details recycling recurring content location labels options tags categories sublinks',
  FeaturedMediaInput: 'path',
  MediaInput:
    'id path title caption in_library default_thumbnail thumbnails user_tags collaborator_tags product_tags',
  ThumbnailsInput: 'real small',
  LinkInput:
    'url call_to_action phone_number provider_display original_description original_title description title default_image images original_images',
  DetailsInput:
    'type feed reminder title start end coupon terms audio privacy comment duet stitch promotional paid language auto_add_music text_format_preset_id boost sponsor',
  SponsorInput: 'id name verified boost',
  RecyclingInput: 'solo gap gap_freq label start_date expire_date expire_count',
  RecurringInput: 'start_date end_date repeat repeat_rate days_of_week',
  ContentBlockInput: 'type data',
  LocationInput: 'id name',
  LabelInput: 'name color',
};

describe('v1 field names', () => {
  const types = new Map<string, GraphQLInputObjectType>();
  const collect = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || types.has(named.name)) return;
    types.set(named.name, named);
    for (const { type: inner } of v1FieldsOf(named).values()) collect(inner);
  };
  collect(postPatch);

  it.each(Object.entries(DOCUMENTED_FIELDS))(
    '%s has the fields of the interface document',
    (name, keys) => {
      expect([...v1FieldsOf(types.get(name)!).keys()].sort()).toEqual(keys.split(' ').sort());
    },
  );

  it('are those of GraphQL except scheduledAt (D29) and the options of single networks', () => {
    expect([...v1FieldsOf(postPatch).keys()].sort()).toEqual(
      PATCH_FIELDS.filter((field) => field !== 'scheduledAt' && field !== 'networkOptions')
        .map(toSnakeCase)
        .sort(),
    );
  });
});

describe('readPost', () => {
  it('reads every field of the interface document', () => {
    expect(
      patchOf({
        type: 'link',
        text: 'a',
        url: 'https://example.com',
        title: 't',
        excerpt: 'e',
        question: 'q',
        duration: 3,
        featured_media: { path: 'https://example.com/a.png' },
        media: [
          {
            id: 'med_1',
            in_library: true,
            user_tags: [{ name: 'x', x: 0.5, y: 1 }],
            thumbnails: { real: 'https://example.com/r.png' },
          },
        ],
        link: {
          url: 'https://example.com',
          call_to_action: 'Buy',
          original_images: ['https://example.com/o.png'],
        },
        details: {
          text_format_preset_id: '7',
          auto_add_music: false,
          sponsor: { id: '1', verified: true },
        },
        recycling: { gap: 2, gap_freq: 'Week', start_date: '2026-12-01' },
        recurring: { repeat: 'weekly', repeat_rate: 1, days_of_week: [0, 'Sunday'] },
        content: [{ type: 'paragraph', data: { textAlign: 'left' } }],
        location: { id: '1', name: 'Here' },
        labels: [{ name: 'A', color: '#ff0000' }],
        options: ['x', 'y'],
        tags: ['t'],
        categories: ['c'],
        sublinks: [{ url: 'https://example.com/2' }],
      }),
    ).toEqual({
      type: 'link',
      text: 'a',
      url: 'https://example.com',
      title: 't',
      excerpt: 'e',
      question: 'q',
      duration: 3,
      featuredMedia: { path: 'https://example.com/a.png' },
      media: [
        {
          id: 'med_1',
          inLibrary: true,
          userTags: [{ name: 'x', x: 0.5, y: 1 }],
          thumbnails: { real: 'https://example.com/r.png' },
        },
      ],
      link: {
        url: 'https://example.com',
        callToAction: 'Buy',
        originalImages: ['https://example.com/o.png'],
      },
      details: {
        textFormatPresetId: '7',
        autoAddMusic: false,
        sponsor: { id: '1', verified: true },
      },
      recycling: { gap: 2, gapFreq: 'weeks', startDate: '2026-12-01' },
      recurring: { repeat: 'weekly', repeatRate: 1, daysOfWeek: [0, 6] },
      content: [{ type: 'paragraph', data: { textAlign: 'left' } }],
      location: { id: '1', name: 'Here' },
      labels: [{ name: 'A', color: '#ff0000' }],
      options: ['x', 'y'],
      tags: ['t'],
      categories: ['c'],
      sublinks: [{ url: 'https://example.com/2' }],
    });
  });

  it('returns an empty patch for {}', () => expect(patchOf({})).toEqual({}));

  it('distinguishes null and absent fields (D20)', () => {
    const nulls = Object.fromEntries(
      [...v1FieldsOf(postPatch).keys()].filter((key) => key !== 'type').map((key) => [key, null]),
    );
    expect(Object.values(patchOf(nulls)).every((value) => value === null)).toBe(true);
    expect(Object.keys(patchOf(nulls))).toHaveLength(19);
    expect(patchOf({ link: { title: null } })).toEqual({ link: { title: null } });
    expect(paths({ type: null })).toEqual(['post.type']);
  });
});

it('uses v1 field names in messages', () => {
  expect(
    fieldMapping.toV1Message(
      'featuredMedia and details.textFormatPresetId cannot change; expectedVersion, iPhone and text can.',
    ),
  ).toBe(
    'featured_media and details.text_format_preset_id cannot change; the version in If-Match, iPhone and text can.',
  );
});

describe('problems of readPost', () => {
  it.each<[unknown, string[]]>([
    [{ text: 5 }, ['post.text']],
    [{ duration: 2147483648 }, ['post.duration']],
    [{ duration: 1.5 }, ['post.duration']],
    [{ labels: 'x' }, ['post.labels']],
    [{ labels: [null] }, ['post.labels[0]']],
    [
      { labels: [{ name: 'A' }, { name: 5, color: 'red' }] },
      ['post.labels[1].name', 'post.labels[1].color'],
    ],
    [{ link: [] }, ['post.link']],
    [{ link: { url: 'ftp://x' } }, ['post.link.url']],
    [{ type: 'tweet' }, ['post.type']],
    [{ scheduled_at: '2026-12-01T00:00:00Z' }, ['post.scheduled_at']],
    [{ scheduledAt: '2026-12-01T00:00:00Z' }, ['post.scheduledAt']],
    [{ featuredMedia: { path: 'https://example.com/a.png' } }, ['post.featuredMedia']],
    [
      { media: [{ id: 'med_1', inLibrary: true, user_tags: [{ left: 1 }] }] },
      ['post.media[0].inLibrary', 'post.media[0].user_tags[0].left'],
    ],
    [{ recurring: { repeat_rate: '1' } }, ['post.recurring.repeat_rate']],
    [{ details: { text_format_preset_id: 1 } }, ['post.details.text_format_preset_id']],
    [{ content: [{ type: 'paragraph', data: 'x' }] }, ['post.content[0].data']],
    [{ text: 'a\0b', title: '\ud800' }, ['post.text', 'post.title']],
    [
      JSON.parse('{"__proto__": {"text": "x"}, "constructor": 1}'),
      ['post.__proto__', 'post.constructor'],
    ],
  ])('rejects %j', (post, expected) => expect(paths(post).sort()).toEqual([...expected].sort()));

  it('lists what is allowed', () => {
    expect(read({ location: { id: '1', city: 'x' } }).problems).toEqual([
      { path: ['post', 'location', 'city'], message: 'unknown key; allowed: id, name' },
    ]);
    expect(read({ labels: [{}] }).problems).toEqual([
      { path: ['post', 'labels', 0], message: 'requires name' },
    ]);
  });

  it.each<[unknown, string[]]>([
    [undefined, ['']],
    [null, ['']],
    [[], ['']],
    ['x', ['']],
    [{}, ['post']],
    [{ post: null }, ['post']],
    [{ post: [] }, ['post']],
    [{ post: 'x' }, ['post']],
    [{ post: {}, id: '1' }, ['id']],
    [{ text: 'x' }, ['text', 'post']],
  ])('rejects the body %j, which is not {"post": {…}}', (body, expected) => {
    expect(fieldMapping.readPost(body).problems.map(({ path }) => presentPath(path))).toEqual(
      expected,
    );
  });

  describe('reports the path of a value of the wrong type', () => {
    /** Every leaf of the input: its path, and a function that wraps a value for this path. */
    const leaves = (
      type: GraphQLInputType,
      path: string,
      wrap: (value: unknown) => unknown,
    ): [string, (value: unknown) => unknown][] => {
      if (isNonNullType(type)) return leaves(type.ofType, path, wrap);
      if (isListType(type)) return leaves(type.ofType, `${path}[0]`, (value) => wrap([value]));
      if (!isInputObjectType(type)) return [[path, wrap]];
      return [...v1FieldsOf(type)].flatMap(([key, field]) =>
        leaves(field.type, `${path}.${key}`, (value) => wrap({ [key]: value })),
      );
    };
    // JSON leaves accept objects, but no leaf accepts a list.
    it.each(leaves(postPatch, 'post', (value) => value))('%s', (path, wrap) =>
      expect(paths(wrap([[true]]))).toContain(path),
    );
  });

  it('never throws, and omits rejected fields from the patch', () => {
    const key = fc.constantFrom(
      ...v1FieldsOf(postPatch).keys(),
      'name',
      'path',
      'id',
      'url',
      'data',
      'x',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), (post) => {
        const { patch, problems } = read(post);
        expect(problems.every(({ path }) => path[0] === 'post')).toBe(true);
        expect(read(post)).toEqual({ patch, problems });
      }),
    );
  });
});

const { toV1Message } = fieldMapping;

/** Sentences that only GraphQL shows: `stateReason`. */
const GRAPHQL_ONLY = ['src/domain/actions/state-reason.ts'];
/** What the APIs say about keys, in the names of GraphQL: the OpenAPI document has those of v1. */
const DESCRIPTIONS: ReadonlySet<string | undefined> = new Set(
  Object.values(SHAPES)
    .flatMap((keys) => Object.values<ShapeKey>(keys))
    .flatMap(({ description, inResult }) => [description, inResult]),
);
const COMMENT = /\/\*[\s\S]*?\*\//g;
const STRING = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const DESCRIPTION = /(description:|descriptionOf\()\s*$/;

/** The sentences of a file that may be messages, with values as `…`. */
function messagesIn(file: string): string[] {
  const text = readText(file).replace(COMMENT, '');
  return [...text.matchAll(STRING)].flatMap(({ 1: plain, 2: template, index }) => {
    const message = (plain ?? template)!.replace(/\$\{[^}]*\}/g, '…');
    return / /.test(message.trim()) &&
      !message.includes('${') &&
      !DESCRIPTION.test(text.slice(Math.max(0, index - 60), index))
      ? [message]
      : [];
  });
}

test('no message of the domain and the services speaks of GraphQL in v1', () => {
  const files = ['src/domain', 'src/services'].flatMap((folder) => listFiles(folder, /\.ts$/));
  const messages = files
    .filter((file) => !GRAPHQL_ONLY.includes(file))
    .flatMap((file) => messagesIn(file).map((message) => ({ file, message })))
    .filter(({ message }) => !DESCRIPTIONS.has(message));
  const named = messages.filter(({ message }) => graphqlIdentifiersIn(message).length > 0);
  expect(named.length).toBeGreaterThan(15);
  expect(
    named.filter(({ message }) => graphqlIdentifiersIn(toV1Message(message)).length > 0),
  ).toEqual([]);
});

test.each([
  ['scheduledAt is required in mode SCHEDULE.', 'scheduled_at is required for a scheduled post.'],
  [
    'recurring requires the mode SCHEDULE.',
    'recurring requires a time of its own: it cannot be combined with auto, share_next or immediate publication.',
  ],
  [
    'The posting schedule of iPhone News has no free time within a year. Add slots with setPostingSchedule, or choose a time.',
    'The posting schedule of iPhone News has no free time within a year. Add slots with PUT /v1/accounts/{account_id}/posting-schedule, or choose a time.',
  ],
  [
    'networkOptions.boardId is required: the ID of the board to pin to.',
    'board_id is required: the ID of the board to pin to.',
  ],
  ['Another post has it. Set allowDuplicate to create it nevertheless.', 'Another post has it.'],
])('%j is %j', (graphql, v1) => {
  expect(toV1Message(graphql)).toBe(v1);
});
