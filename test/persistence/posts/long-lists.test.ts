import type {
  PostFilter,
  PostListQuery,
  PostSelection,
} from '../../../src/domain/posts/post-query.js';
import { listStatement } from '../../../src/persistence/posts/list-statement.js';
import { aViewer } from '../../fixtures/posts.js';

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
const isSlow = (
  filter: PostFilter,
  more: Partial<PostListQuery> = {},
  selection = WHOLE,
): boolean | undefined => listStatement(aViewer(), { ...FIRST, ...more, filter }, selection).isSlow;
const page = (number: number): Partial<PostListQuery> => ({
  slice: { kind: 'page', page: number, perPage: 10 },
});

it.each<[string, PostFilter, Partial<PostListQuery>]>([
  ['all', {}, {}],
  ['of some states', { states: ['scheduled', 'draft_private'] }, {}],
  [
    'after a cursor',
    {},
    { slice: { kind: 'window', limit: 100, fromEnd: false, after: { at: null, id: 7 } } },
  ],
  ['a near page', {}, page(12)],
  ['oldest first', {}, { order: { field: 'scheduled_at', direction: 'asc' } }],
])('pipelines lists that read no more than they return: %s', (_which, filter, more) => {
  expect(isSlow(filter, more)).toBe(false);
});

it.each<[string, PostFilter, Partial<PostListQuery>]>([
  ['of a label', { labelIds: ['lbl_1'] }, {}],
  ['of a type', { types: ['video'] }, {}],
  ['of an account, with a count', { accountIds: ['acc_1'] }, {}],
  ['with a search term', { query: 'coffee' }, {}],
  ['with an excluded term only', { query: '-coffee' }, {}],
  [
    'by creation time',
    { states: ['scheduled'] },
    { order: { field: 'created_at', direction: 'desc' } },
  ],
  ['a far page', {}, page(13)],
])('does not pipeline lists that may read many more rows: %s', (_which, filter, more) => {
  expect(isSlow(filter, more)).toBe(true);
});

it('does not pipeline a total that requires counting', () => {
  const counted = { ...WHOLE, items: false };
  expect([isSlow({ types: ['video'] }, {}, counted), isSlow({}, {}, counted)]).toEqual([
    true,
    false,
  ]);
});
