import fc from 'fast-check';
import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { PATCH_FIELDS } from '../../../src/domain/posts/post.js';
import { showPath } from '../../../src/rest/errors.js';
import { createDialect } from '../../../src/rest/requests/field-mapping.js';
import { fieldsIn, toV1Name } from '../../../src/rest/requests/input-words.js';
import { postPatch } from '../post-patch-type.js';

const dialect = createDialect(postPatch);
const read = (post: unknown) => dialect.readPost({ post });
const paths = (post: unknown): string[] => read(post).problems.map(({ path }) => showPath(path));
const patchOf = (post: unknown) => {
  const { patch, problems } = read(post);
  expect(problems).toEqual([]);
  return patch;
};

/** "Update post" and its objects, as the document names them. */
const DOCUMENT = {
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

describe('the words of v1', () => {
  const types = new Map<string, GraphQLInputObjectType>();
  const collect = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    if (!isInputObjectType(named) || types.has(named.name)) return;
    types.set(named.name, named);
    for (const { type: inner } of fieldsIn(named).values()) collect(inner);
  };
  collect(postPatch);

  it.each(Object.entries(DOCUMENT))('%s has the document’s keys', (name, keys) => {
    expect([...fieldsIn(types.get(name)!).keys()].sort()).toEqual(keys.split(' ').sort());
  });

  it('are GraphQL’s fields but scheduledAt (D29)', () => {
    expect([...fieldsIn(postPatch).keys()].sort()).toEqual(
      PATCH_FIELDS.filter((field) => field !== 'scheduledAt')
        .map(toV1Name)
        .sort(),
    );
  });
});

describe('readPost', () => {
  it('reads every field of the document', () => {
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

  it('changes nothing with {}', () => expect(patchOf({})).toEqual({}));

  it('keeps null and absent apart (D20)', () => {
    const nulls = Object.fromEntries(
      [...fieldsIn(postPatch).keys()].filter((key) => key !== 'type').map((key) => [key, null]),
    );
    expect(Object.values(patchOf(nulls)).every((value) => value === null)).toBe(true);
    expect(Object.keys(patchOf(nulls))).toHaveLength(19);
    expect(patchOf({ link: { title: null } })).toEqual({ link: { title: null } });
    expect(paths({ type: null })).toEqual(['post.type']);
  });

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
  ])('refuses %j', (post, expected) => expect(paths(post).sort()).toEqual([...expected].sort()));

  it('names what is allowed', () => {
    expect(read({ location: { id: '1', city: 'x' } }).problems).toEqual([
      { path: ['post', 'location', 'city'], message: 'unknown key; allowed: id, name' },
    ]);
    expect(read({ labels: [{}] }).problems).toEqual([
      { path: ['post', 'labels', 0], message: 'needs name' },
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
  ])('holds the body %j to {"post": {…}}', (body, expected) => {
    expect(dialect.readPost(body).problems.map(({ path }) => showPath(path))).toEqual(expected);
  });

  describe('refuses a value of another type at its own path', () => {
    /** Every leaf of the input, as a path and a function that puts a value there. */
    const leaves = (
      type: GraphQLInputType,
      path: string,
      wrap: (value: unknown) => unknown,
    ): [string, (value: unknown) => unknown][] => {
      if (isNonNullType(type)) return leaves(type.ofType, path, wrap);
      if (isListType(type)) return leaves(type.ofType, `${path}[0]`, (value) => wrap([value]));
      if (!isInputObjectType(type)) return [[path, wrap]];
      return [...fieldsIn(type)].flatMap(([key, field]) =>
        leaves(field.type, `${path}.${key}`, (value) => wrap({ [key]: value })),
      );
    };
    // A JSON leaf takes objects: no list is right anywhere below a leaf.
    it.each(leaves(postPatch, 'post', (value) => value))('%s', (path, wrap) =>
      expect(paths(wrap([[true]]))).toContain(path),
    );
  });

  it('never throws, and leaves out what it refuses', () => {
    const key = fc.constantFrom(
      ...fieldsIn(postPatch).keys(),
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

it('speaks of fields as v1 writes them', () => {
  expect(
    dialect.inV1Words(
      'featuredMedia and details.textFormatPresetId cannot change; expectedVersion, iPhone and text can.',
    ),
  ).toBe(
    'featured_media and details.text_format_preset_id cannot change; expectedVersion, iPhone and text can.',
  );
});
