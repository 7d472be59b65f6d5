import fc from 'fast-check';
import { readWordpressExport } from '../../../src/importers/wordpress/wordpress-export.js';
import { EXPORT_HEAD, exportOf, itemOf } from '../../fixtures/small-wxr.js';
import { NOW, outcomesOf, postsOf, recordsOf } from './read-export.js';

const NOT_CLOSED = `${EXPORT_HEAD}${itemOf({ id: 1 })}<item><title>Ä</title><wp:post_id>2</wp:post_id><oops></item>`;
it('reports the position where a file is malformed, after the items before it', async () => {
  const read = await outcomesOf(NOT_CLOSED);
  const line = NOT_CLOSED.split('\n').length;
  expect(read.map(({ kind }) => kind)).toEqual(['post', 'malformed']);
  expect(read[1]).toEqual({
    kind: 'malformed',
    reason: 'unexpected close tag',
    position: {
      line,
      column: (NOT_CLOSED.split('\n').at(-1) ?? '').length,
      byte: Buffer.byteLength(NOT_CLOSED),
    },
  });
});

it('includes the lines and characters of texts in the position, with any chunk size', async () => {
  for (const body of ['a\nbü\n', 'a\r\nb', 'x]]y]', '\n\n]]', '<![CDATA[ <!-- ']) {
    const xml = `${EXPORT_HEAD}<!-- <![CDATA[ --><item><title><![CDATA[${body}]]></title>Ä<b><![CDATA[${body}]]></oops></item>`;
    const upTo = xml.slice(0, xml.indexOf('</oops>') + '</oops>'.length);
    const position = {
      line: upTo.split('\n').length,
      column: upTo.split('\n').at(-1)!.length,
      byte: Buffer.byteLength(upTo),
    };
    for (const chunk of [1, 2, 3, 5, 1 << 20])
      expect(await outcomesOf(xml, { chunk })).toEqual([
        { kind: 'malformed', reason: expect.any(String), position },
      ]);
  }
});

it.each([
  ['an empty file', '', /root element/],
  ['a file that is not XML', '{"posts": []}', /./],
  ['another XML file', '<html><body/></html>', /not a WordPress export.*<html>/],
  [
    'another encoding',
    '<?xml version="1.0" encoding="ISO-8859-1"?><rss/>',
    /ISO-8859-1; only UTF-8/,
  ],
  ['a custom entity', '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss>&a;</rss>', /entity/],
])('rejects %s', async (_, xml, reason) => {
  expect(await outcomesOf(xml)).toEqual([
    { kind: 'malformed', reason: expect.stringMatching(reason), position: expect.anything() },
  ]);
});

it('never returns an item truncated by the end of the file', async () => {
  const xml = Buffer.from(
    exportOf(
      itemOf({ id: 1, title: 'Ä' }),
      itemOf({ id: 2, body: 'Zwei ü\n\nDrei' }),
      itemOf({ id: 3 }),
    ),
  );
  const ends = [1, 2, 3]
    .map((n) => xml.toString().split('</item>').slice(0, n).join('</item>'))
    .map((text) => Buffer.byteLength(text) + 7);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(xml.length - 20),
      fc.integer({ min: 1, max: 3_000 }),
      async (length, chunk) => {
        const read = await outcomesOf(xml.subarray(0, length), { chunk });
        expect(
          read.flatMap((record) => (record.kind === 'post' ? [record.post.sourceId] : [])),
        ).toEqual(['1', '2', '3'].slice(0, ends.filter((end) => end <= length).length));
        expect(read.at(-1)?.kind).toBe('malformed');
      },
    ),
    { numRuns: 60 },
  );
});

it('is read the same with any chunk size, even if multi-byte characters are split', async () => {
  const xml = exportOf(
    itemOf({ id: 1, body: 'Grüße 😀 ]]> &amp; Ende' }),
    itemOf({ id: 2, title: 'Zweiter' }),
  );
  const expected = await outcomesOf(xml);
  for (const chunk of [1, 2, 3, 7, 61]) expect(await outcomesOf(xml, { chunk })).toEqual(expected);
  expect(expected[0]).toMatchObject({ post: { text: 'Grüße 😀 ]]> & Ende' } });
});

it('reads old exports, other prefixes and control characters', async () => {
  const xml = exportOf(itemOf({ id: 1, title: 'a\u0008b' }))
    .replaceAll('wp:', 'w:')
    .replace('xmlns:wp', 'xmlns:w')
    .replace('export/1.2/"', 'export/1.0/"');
  expect((await postsOf(xml)).map(({ title }) => title)).toEqual(['a b']);
});

it('skips and names an item above the maximum size, and continues', async () => {
  const xml = exportOf(
    itemOf({ id: 1, title: 'Groß', body: 'x'.repeat(300_000) }),
    itemOf({ id: 2, extra: `<wp:comment>${'y'.repeat(400_000)}</wp:comment>` }),
  );
  expect(await outcomesOf(xml, { maxItemCharacters: 100_000 })).toEqual([
    { kind: 'skipped', reason: 'too_large', sourceId: '1', postType: 'post', title: 'Groß' },
    { kind: 'post', post: expect.objectContaining({ sourceId: '2' }) },
  ]);
});

it('reads a long text without CDATA, with entities at any place', async () => {
  const text = `${'ä &amp; '.repeat(200_000)}${'&amp;lt;'.repeat(100_000)}${'x'.repeat(400_000)}`;
  const xml = exportOf(itemOf({ id: 1, body: 'KÖRPER' })).replace('<![CDATA[KÖRPER]]>', text);
  const [post] = await postsOf(xml, { chunk: 50_000 });
  const expected = `${'ä & '.repeat(200_000)}${'<'.repeat(100_000)}${'x'.repeat(400_000)}`;
  expect(post?.text === expected).toBe(true);
});

it.each(['<!-- ', '<?x ', '<tag ', '<tag a="', '<tag', '&', '</'])(
  'rejects a file with an endless %s instead of collecting it',
  async (start) => {
    const xml = `${EXPORT_HEAD}${itemOf({ id: 1 })}<item>${start}${'x'.repeat(2_000_000)}`;
    const outcomes = await outcomesOf(xml);
    expect(outcomes).toEqual([
      expect.objectContaining({ kind: 'post' }),
      {
        kind: 'malformed',
        reason: 'a tag, a comment or an entity does not end',
        position: expect.objectContaining({ byte: expect.any(Number) }),
      },
    ]);
    const [, malformed] = outcomes;
    if (malformed?.kind === 'malformed') expect(malformed.position.byte).toBeLessThan(500_000);
  },
);

it('discards endless text instead of collecting it', async () => {
  const line = Buffer.alloc(1 << 20, 'x');
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${EXPORT_HEAD}<item><content:encoded><![CDATA[`);
    for (let megabyte = 0; megabyte < 240; megabyte += 1) yield line;
    yield Buffer.from(
      `]]></content:encoded><wp:post_id>9</wp:post_id><wp:post_type>post</wp:post_type></item></channel></rss>`,
    );
  }
  let maxHeapGrowth = 0;
  const before = process.memoryUsage().heapUsed;
  for await (const record of readWordpressExport(endless, {
    now: NOW,
    maxItemCharacters: 1 << 20,
  })) {
    maxHeapGrowth = Math.max(maxHeapGrowth, process.memoryUsage().heapUsed - before);
    if (record.kind !== 'progress')
      expect(record).toMatchObject({ kind: 'skipped', reason: 'too_large', sourceId: '9' });
  }
  expect(maxHeapGrowth).toBeLessThan(120 * 1024 * 1024); // half of the text, which takes garbage collection into account
});

it('reads only as much as the caller consumes, and closes the file when the caller stops', async () => {
  let written = 0;
  let closed = 0;
  const part = Buffer.from(itemOf({ id: 5 }));
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.from(EXPORT_HEAD);
      for (written = 0; written < 50; written += 1) yield part;
      yield Buffer.from('</channel></rss>');
    } finally {
      closed += 1;
    }
  }
  for await (const record of readWordpressExport(source, { now: NOW }))
    if (record.kind === 'post') break;
  expect(written).toBeLessThan(3);
  expect(closed).toBe(2);
});

it('reports progress in both passes', async () => {
  const xml = exportOf(itemOf({ id: 1 }), itemOf({ id: 2, type: 'page' }));
  const progress = (await recordsOf(xml)).filter(({ kind }) => kind === 'progress');
  const bytes = Buffer.byteLength(xml);
  expect(progress).toEqual([
    { kind: 'progress', pass: 'library', bytes, items: 2 },
    { kind: 'progress', pass: 'posts', bytes, items: 2 },
  ]);
});
