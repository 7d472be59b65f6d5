import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { PATCH_FIELDS } from '../../../src/domain/posts/post-fields.js';
import { presentPath } from '../../../src/rest/errors.js';
import { createFieldMapping, v1FieldsOf } from '../../../src/rest/field-mapping.js';
import { toSnakeCase } from '../../../src/domain/snake-case.js';
import { postPatch } from '../post-patch-type.js';

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
