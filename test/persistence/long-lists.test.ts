import type {
  PostFilter,
  PostListQuery,
  PostSelection,
} from '../../src/domain/posts/post-query.js';
import { listStatement } from '../../src/persistence/posts/post-query.js';
import { aViewer } from '../fixtures/posts.js';

const FIRST: Omit<PostListQuery, 'filter'> = {
  order: { field: 'scheduled_at', direction: 'desc' },
  slice: { kind: 'window', limit: 25, fromEnd: false },
};
const WHOLE: PostSelection = {
  fields: new Set(['text']),
  totalCount: true,
  facets: false,
  items: true,
};
const isLong = (
  filter: PostFilter,
  more: Partial<PostListQuery> = {},
  selection = WHOLE,
): boolean | undefined => listStatement(aViewer(), { ...FIRST, ...more, filter }, selection).isLong;
const page = (number: number): Partial<PostListQuery> => ({
  slice: { kind: 'page', page: number, perPage: 10 },
});

it.each<[string, PostFilter, Partial<PostListQuery>]>([
  ['all', {}, {}],
  ['of some states', { states: ['scheduled', 'draft_private'] }, {}],
  [
    'behind a cursor',
    {},
    { slice: { kind: 'window', limit: 100, fromEnd: false, after: { at: null, id: 7 } } },
  ],
  ['a near page', {}, page(12)],
  ['oldest first', {}, { order: { field: 'scheduled_at', direction: 'asc' } }],
])(
  'lets others wait behind a list that reads no more than it shows: %s',
  (_which, filter, more) => {
    expect(isLong(filter, more)).toBe(false);
  },
);

it.each<[string, PostFilter, Partial<PostListQuery>]>([
  ['of a label', { labelIds: ['lbl_1'] }, {}],
  ['of a type', { types: ['video'] }, {}],
  ['of an account, which are counted', { accountIds: ['acc_1'] }, {}],
  ['of words', { query: 'coffee' }, {}],
  ['without words', { query: '-coffee' }, {}],
  [
    'by when they were made',
    { states: ['scheduled'] },
    { order: { field: 'created_at', direction: 'desc' } },
  ],
  ['a far page', {}, page(13)],
])('keeps nobody waiting behind a list that may read much more: %s', (_which, filter, more) => {
  expect(isLong(filter, more)).toBe(true);
});

it('keeps nobody waiting behind a number alone that has to be counted', () => {
  const counted = { ...WHOLE, items: false };
  expect([isLong({ types: ['video'] }, {}, counted), isLong({}, {}, counted)]).toEqual([
    true,
    false,
  ]);
});
