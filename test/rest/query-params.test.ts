import fc from 'fast-check';
import querystring from 'node:querystring';
import { enumKeys } from '../../src/domain/enums.js';
import { STATE_FILTERS, type StateFilter } from '../../src/domain/posts/states.js';
import { DELETE_PARAMS } from '../../src/rest/posts/delete-posts.js';
import {
  DETAIL_PARAMS,
  findTimeRangeProblems,
  LIST_PARAMS,
  toFilter,
} from '../../src/rest/posts/read-posts.js';
import { UPDATE_PARAMS } from '../../src/rest/posts/update-post.js';
import { type RawQuery, readParams, readTimeRange } from '../../src/rest/query-params.js';

/** Parses like Express's `simple` parser. */
const parse = (text: string): RawQuery => querystring.parse(text);

function list(text: string) {
  const query = parse(text);
  const { values, problems } = readParams(LIST_PARAMS, query, 'ignore');
  return {
    filter: toFilter(values),
    page: values.page,
    problems: [...problems, ...findTimeRangeProblems((name) => Boolean(query[name]), values)],
  };
}
const problemPaths = (text: string): string[] =>
  list(text).problems.map(({ path }) => path.join('.'));

describe('query of List posts', () => {
  it('without parameters does not filter', () =>
    expect(list('')).toEqual({ filter: {}, page: undefined, problems: [] }));

  it.each([
    ['state=draft', { states: ['draft'] }],
    ['state[]=draft&state[]=failed', { states: ['draft', 'failed'] }],
    ['state%5B%5D=draft&state%5B%5D=failed', { states: ['draft', 'failed'] }],
    ['state[0]=draft&state[1]=failed', { states: ['draft', 'failed'] }],
    ['state=draft&state=failed', { states: ['draft', 'failed'] }],
    ['state=draft&state[]=failed', { states: ['draft', 'failed'] }],
    ['state[]=', { states: [] }],
    ['account_ids[]=acc_1&account_ids[]=acc_2', { accountIds: ['acc_1', 'acc_2'] }],
    ['account_ids=acc_1', { accountIds: ['acc_1'] }],
    ['account_ids[7]=acc_1', { accountIds: ['acc_1'] }],
    ['account_ids[]=a%00b', { accountIds: ['-'] }],
    ['query=red+-blue', { query: 'red -blue' }],
    ['postType=reel', { types: ['reel'] }],
    ['member_id=usr_1', { memberId: 'usr_1' }],
    ['state=DRAFT&state[]=Scheduled', { states: ['draft', 'scheduled'] }],
    ['postType=Reel', { types: ['reel'] }],
    [
      'member_id=&postType=&page=&from=&to=&query=&state=&account_ids=',
      { states: [], accountIds: [] },
    ],
    [
      'from=2026-01-01&to=2026-01-01',
      { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-01T23:59:59.999Z') },
    ],
    [
      'from=2026-01-01T10:00:00+02:00&to=2026-01-01',
      { from: new Date('2026-01-01T08:00:00Z'), to: new Date('2026-01-01T23:59:59.999Z') },
    ],
    [
      'from=2026-01-01&to=2026-01-01T00:00:00Z',
      { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-01T00:00:00Z') },
    ],
  ])('%s', (text, filter) => expect(list(text)).toEqual({ filter, page: undefined, problems: [] }));

  it.each([
    ['page=0', 0],
    ['page=12', 12],
    ['page=2147483647', 2147483647],
  ])('%s', (text, page) => expect(list(text)).toMatchObject({ page, problems: [] }));

  it.each([
    ['state=drafts', 'state'],
    ['state[a]=draft', 'state[a]'],
    ['state[]=draft&state[=failed', 'state['],
    ['postType[]=link', 'postType[]'],
    ['postType[]=', 'postType[]'],
    ['page[0]=1', 'page[0]'],
    ['from=&to=2026-01-01', 'from'],
    ['state[]=draft&state[]=nope', 'state[]'],
    ['state[3]=nope', 'state[3]'],
    ['state=toString', 'state'],
    ['postType=tweet', 'postType'],
    ['postType=link&postType=photo', 'postType'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=2147483648', 'page'],
    ['page=1e3', 'page'],
    ['page=1&page=2', 'page'],
    ['from=2026-01-01', 'to'],
    ['to=2026-01-01', 'from'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['from=2026-02-30&to=2026-03-01', 'from'],
    ['from=2026-02-01&to=soon', 'to'],
    ['from=2026-01-01T00:00:01Z&to=2026-01-01T00:00:00Z', 'from'],
    ['query=a%00b', 'query'],
    [`query=${'x'.repeat(1001)}`, 'query'],
  ])('rejects %s', (text, path) => expect(problemPaths(text)).toEqual([path]));

  it('requires from and to together, and names both in the message', () => {
    expect(list('from=2026-01-01').problems).toEqual([
      { path: ['to'], message: 'required when from is used: from and to must be sent together' },
    ]);
    expect(list('to=2026-01-01').problems).toEqual([
      { path: ['from'], message: 'required when to is used: from and to must be sent together' },
    ]);
  });

  it('reports every problem together', () =>
    expect(problemPaths('state=x&page=x&from=x&postType=x')).toEqual([
      'state',
      'from',
      'page',
      'postType',
      'to',
    ]));

  it('counts code points, not UTF-16 units', () =>
    expect(problemPaths(`query=${encodeURIComponent('😀'.repeat(1000))}`)).toEqual([]));

  it('ignores unknown parameters', () => {
    expect(list('foo=1&pages[]=9&states[x]=draft&__proto__=1&constructor=2&per_page=50')).toEqual({
      filter: {},
      page: undefined,
      problems: [],
    });
  });

  it('reads several states in every list syntax', () => {
    const forms = fc.constantFrom<(word: string, index: number) => string>(
      (word) => `state=${word}`,
      (word) => `state[]=${word}`,
      (word, index) => `state[${index}]=${word}`,
      (word) => `state%5B%5D=${word}`,
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom<StateFilter>(...enumKeys(STATE_FILTERS)), forms), {
          minLength: 1,
          maxLength: 30,
        }),
        (states) => {
          const read = list(states.map(([word, form], index) => form(word, index)).join('&'));
          expect(read.problems).toEqual([]);
          expect([...(read.filter.states ?? [])].sort()).toEqual(
            states.map(([word]) => word).sort(),
          );
        },
      ),
    );
  });

  it('never throws', () => {
    const names = fc.constantFrom(
      'state',
      'state[]',
      'from',
      'to',
      'page',
      'account_ids[]',
      'query',
      'postType',
      'member_id',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.string({ unit: 'binary' }))), (pairs) => {
        expect(
          list(
            pairs
              .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
              .join('&'),
          ).filter,
        ).toBeDefined();
      }),
    );
  });
});

describe('other queries', () => {
  const read = (table: Parameters<typeof readParams>[0], text: string) =>
    readParams(table, parse(text), 'reject');

  it.each([
    ['', undefined],
    ['analytics=true', true],
    ['analytics=false', false],
  ])('analytics: %j', (text, analytics) => {
    expect(readParams(DETAIL_PARAMS, parse(text), 'ignore')).toEqual({
      values: analytics === undefined ? {} : { analytics },
      problems: [],
    });
  });

  it.each(['1', 'TRUE', '', 'yes'])('rejects the flag %j', (value) => {
    expect(read(UPDATE_PARAMS, `dry_run=${value}`).problems).toEqual([
      { path: ['dry_run'], message: 'must be true or false' },
    ]);
  });

  it('reject unknown parameters of changes', () => {
    expect(read(UPDATE_PARAMS, 'dryrun=true&x[]=1').problems).toEqual([
      { path: ['dryrun'], message: 'unknown parameter; allowed: dry_run' },
      { path: ['x[]'], message: 'unknown parameter; allowed: dry_run' },
    ]);
  });

  it('accept 1 to 100 post IDs without changing them', () => {
    expect(
      read(DELETE_PARAMS, 'post_ids[]=7&post_ids=ABCDEFABCDEFABCDEFABCDEF&post_ids[4]=nonsense')
        .values,
    ).toEqual({ post_ids: ['7', 'ABCDEFABCDEFABCDEFABCDEF', 'nonsense'] });
    const idsQuery = (count: number): string =>
      Array.from({ length: count }, (_, index) => `post_ids[]=${index + 1}`).join('&');
    expect(read(DELETE_PARAMS, idsQuery(100)).problems).toEqual([]);
    for (const text of [idsQuery(101), 'post_ids[]=', idsQuery(1500)]) {
      expect(read(DELETE_PARAMS, text).problems).toEqual([
        { path: ['post_ids[]'], message: 'must be 1 to 100 post IDs' },
      ]);
    }
    expect(read(DELETE_PARAMS, '').problems).toEqual([
      { path: ['post_ids[]'], message: 'required' },
    ]);
    expect(read(DELETE_PARAMS, 'post_ids=%00').problems).toEqual([
      { path: ['post_ids'], message: 'must not contain a NUL character' },
    ]);
  });
});

const readRange = (text: string) => {
  const range = readTimeRange(text);
  return range && [range.start.toISOString(), range.end.toISOString()];
};
const at = (iso: string) => [iso, iso];

describe('readTimeRange (D15)', () => {
  it.each([
    ['2026-11-21', ['2026-11-21T00:00:00.000Z', '2026-11-21T23:59:59.999Z']],
    ['2024-02-29', ['2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z']],
    ['2026-11-21T09:30:00Z', at('2026-11-21T09:30:00.000Z')],
    ['2026-11-21T09:30:00.25Z', at('2026-11-21T09:30:00.250Z')],
    ['2026-11-21T09:30:00+02:00', at('2026-11-21T07:30:00.000Z')],
    ['2026-11-21T09:30:00 02:00', at('2026-11-21T07:30:00.000Z')],
    ['2026-11-21T09:30 0200', at('2026-11-21T07:30:00.000Z')],
    ['2026-11-21T09:30:00-05:30', at('2026-11-21T15:00:00.000Z')],
    ['2026-12-31T23:59:59.999999999Z', ['2027-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z']],
    ['0050-03-01', ['0050-03-01T00:00:00.000Z', '0050-03-01T23:59:59.999Z']],
  ])('%s', (text, expected) => expect(readRange(text)).toEqual(expected));

  it.each([
    '',
    'today',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-1-1',
    '20261121',
    '2026-11-21T09:30:00',
    '2026-11-21T24:00:00Z',
    '2026-11-21T09:60:00Z',
    '2026-11-21T09:30:60Z',
    '2026-11-21T09:30:00.Z',
    '2026-11-21T09:30:00+24:00',
    '2026-11-21 09:30:00Z',
    '2026-11-21T09:30:00Z ',
    ' 2026-11-21',
    '+002026-11-21',
    '1763717400',
    '2026-11-21T09:30:00+02:60',
  ])('rejects %j', (text) => expect(readTimeRange(text)).toBeNull());

  it('reads every time that JavaScript formats', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(readRange(date.toISOString())).toEqual(at(date.toISOString()));
        },
      ),
    );
  });

  it('returns a full day that contains each of its times', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true }),
        (date) => {
          const day = readTimeRange(date.toISOString().slice(0, 10))!;
          expect(day.start <= date && date <= day.end).toBe(true);
          expect(day.end.getTime() - day.start.getTime()).toBe(86_399_999);
        },
      ),
    );
  });

  it('applies the offset exactly', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 59 }),
        fc.constantFrom('+', '-'),
        (hour, minute, sign) => {
          const two = (value: number): string => String(value).padStart(2, '0');
          const read = readTimeRange(`2026-06-15T12:00:00${sign}${two(hour)}:${two(minute)}`)!;
          const offset = (hour * 60 + minute) * 60_000 * (sign === '+' ? 1 : -1);
          expect(read.start.getTime()).toBe(Date.UTC(2026, 5, 15, 12) - offset);
        },
      ),
    );
  });
});
