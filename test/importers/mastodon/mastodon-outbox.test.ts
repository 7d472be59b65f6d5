import fc from 'fast-check';
import { readMastodonOutbox } from '../../../src/importers/mastodon/mastodon-outbox.js';
import {
  ACTOR,
  boostOf,
  createOf,
  noteIdOf,
  OUTBOX_HEAD,
  outboxOf,
} from '../../fixtures/small-outbox.js';
import { outcomesOf, postsOf, recordsOf } from './read-outbox.js';

describe('an unsupported file', () => {
  const others: [string, string, RegExp][] = [
    ['an empty file', '', /^the file is empty$/],
    ['white space', ' \n', /^the file is empty$/],
    ['a text', 'Guten Tag', /not JSON: it starts with "Guten Tag"/],
    [
      'a WordPress export',
      '<?xml version="1.0"?>\n<rss version="2.0">',
      /WordPress export: run `import wordpress` instead/,
    ],
    ['an HTML page', '<!doctype html><html>', /XML or HTML/],
    [
      'a zip archive',
      'PK\u0003\u0004x',
      /zip archive: unpack it and import the outbox\.json that it contains/,
    ],
    ['a gzip archive', '\u001f\u008b\u0008', /compressed archive: unpack it/],
    ['a list', '[{}]', /is a list/],
    [
      'actor.json',
      JSON.stringify({
        '@context': [{ a: '}' }],
        id: ACTOR,
        type: 'Person',
        outbox: 'outbox.json',
      }),
      /account \(its type is "Person"\).*outbox\.json/,
    ],
    [
      'likes.json',
      '{"@context":"x","id":"likes.json","type":"OrderedCollection","orderedItems":["https://o.example/1"]}',
      /likes\.json, which lists posts of other accounts/,
    ],
    [
      'another object',
      '{"type":["Note"],"x":[1]}',
      /its type is \["Note"\], not "OrderedCollection"/,
    ],
    [
      'the outbox URL of a server',
      '{"type":"OrderedCollection","totalItems":2,"first":"https://m.example/o?page=1"}',
      /no list “orderedItems”.*pages/,
    ],
    ['an empty object', '{}', /no list “orderedItems”/],
    ['items that are not a list', '{"orderedItems":{"a":1}}', /“orderedItems” is not a list/],
  ];
  it.each(others)('is reported: %s', async (_, text, reason) => {
    expect(await outcomesOf(text)).toEqual([
      { kind: 'malformed', reason: expect.stringMatching(reason), position: expect.anything() },
    ]);
  });
});

const OPEN_LIST = outboxOf(createOf()).replace(/\]\}$/, '');
it.each<[string, string, string, RegExp]>([
  ['an item without a comma', `${OPEN_LIST}\n `, '{', /unexpected "\{"/],
  ['two commas', `${OPEN_LIST},`, ',', /unexpected ","/],
  ['an unknown literal', '{\n"ä":', 'oops}\n\n', /unexpected "o"/],
  ['an invalid number', '{\n"ä":', '-x}', /not valid JSON/],
  ['text after the end', `${OPEN_LIST}]}\n `, 'x', /unexpected "x"/],
  [
    'the end of the file in the list',
    `${OPEN_LIST},\n`,
    '',
    /ends before the collection is complete/,
  ],
  [
    'the end of the file in an item',
    `${OPEN_LIST},\n`,
    '{"id":"ü"',
    /the value that starts here does not end/,
  ],
])('reports the position of %s, after the items before it', async (_, before, after, reason) => {
  const position = {
    line: before.split('\n').length,
    column: before.split('\n').at(-1)!.length,
    byte: Buffer.byteLength(before),
  };
  for (const chunk of [1, 3, 1 << 20]) {
    expect(await outcomesOf(before + after, { chunk })).toEqual([
      ...(before.startsWith(OPEN_LIST) ? [expect.objectContaining({ kind: 'post' })] : []),
      { kind: 'malformed', reason: expect.stringMatching(reason), position },
    ]);
  }
});

it('reads any valid outbox like JSON.parse, with any formatting and chunk size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      fc.constantFrom(0, 2, '\r\n\t'),
      fc.integer({ min: 1, max: 50 }),
      async (values, space, chunk) => {
        const items = values.map((value, number) =>
          createOf({ number, other: value, content: JSON.stringify(value) }),
        );
        const text = JSON.stringify(
          { constructor: values, orderedItems: items, last: values },
          null,
          space,
        );
        expect((await postsOf(text, { chunk })).map(({ sourceId }) => sourceId)).toEqual(
          items.map((_, number) => noteIdOf(number)),
        );
      },
    ),
    { numRuns: 60 },
  );
});

it('never returns an item truncated by the end of the file', async () => {
  const text = Buffer.from(
    outboxOf(createOf({ number: 1, content: 'ä"}\\' }), boostOf(2), createOf({ number: 3 })),
  );
  const whole = await outcomesOf(text);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(text.length - 1),
      fc.integer({ min: 1, max: 2_000 }),
      async (length, chunk) => {
        const read = await outcomesOf(text.subarray(0, length), { chunk });
        expect(read.at(-1)?.kind).toBe('malformed');
        expect(read.slice(0, -1)).toEqual(whole.slice(0, read.length - 1));
      },
    ),
    { numRuns: 60 },
  );
});

it('reads a file with a byte order mark, and a file without items', async () => {
  expect(await postsOf(`\ufeff${outboxOf(createOf())}`, { chunk: 1 })).toHaveLength(1);
  expect(await outcomesOf(outboxOf())).toEqual([]);
});

it('skips and names an item above the maximum size, and continues', async () => {
  const text = outboxOf(
    createOf({ number: 1, content: 'x'.repeat(300_000) }),
    createOf({ number: 2 }),
  );
  for (const chunk of [1_000, 1 << 20]) {
    expect(await outcomesOf(text, { chunk, maxItemCharacters: 100_000 })).toEqual([
      {
        kind: 'skipped',
        reason: 'too_large',
        sourceId: `${noteIdOf(1)}/activity`,
        postType: null,
        title: `${noteIdOf(1)}/activity`,
      },
      { kind: 'post', post: expect.objectContaining({ remoteId: '2' }) },
    ]);
  }
});

it('discards endless text instead of collecting it', async () => {
  const part = Buffer.alloc(1 << 20, 'x');
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${OUTBOX_HEAD}{"id":"long","content":"`);
    for (let megabyte = 0; megabyte < 80; megabyte += 1) yield part;
    yield Buffer.from('"}]}');
  }
  let maxHeapGrowth = 0;
  const before = process.memoryUsage().heapUsed;
  for await (const record of readMastodonOutbox(endless(), { maxItemCharacters: 1 << 20 })) {
    maxHeapGrowth = Math.max(maxHeapGrowth, process.memoryUsage().heapUsed - before);
    if (record.kind !== 'progress')
      expect(record).toMatchObject({ kind: 'skipped', reason: 'too_large', sourceId: 'long' });
  }
  expect(maxHeapGrowth).toBeLessThan(60 * 1024 * 1024);
});

it('reads only as much as the caller consumes, and closes the file when the caller stops', async () => {
  let written = 0;
  let isClosed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(OUTBOX_HEAD);
      for (written = 0; written < 50; written += 1)
        yield Buffer.from(
          `${written > 0 ? ',' : ''}${JSON.stringify(createOf({ number: written }))}`,
        );
      yield Buffer.from(']}');
    } finally {
      isClosed = true;
    }
  }
  for await (const record of readMastodonOutbox(source())) if (record.kind === 'post') break;
  expect([written < 3, isClosed]).toEqual([true, true]);
});

it('reports progress', async () => {
  const text = outboxOf(createOf(), boostOf(2));
  expect((await recordsOf(text)).filter(({ kind }) => kind === 'progress')).toEqual([
    { kind: 'progress', pass: 'whole', bytes: Buffer.byteLength(text), items: 2 },
  ]);
});
