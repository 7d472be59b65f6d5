import { MAX_DATA_DEPTH } from '../../../src/domain/input/readers.js';
import {
  PATCH_FIELDS,
  type PatchInput,
  type PostPatch,
  readPatch,
} from '../../../src/domain/posts/post-fields.js';

const nested = (levels: number): unknown => (levels === 1 ? {} : { inner: nested(levels - 1) });
const block = (data: unknown) => ({ content: [{ type: 'paragraph', data }] });

describe('readPatch returns', () => {
  it.each<[PatchInput, PostPatch | PatchInput]>([
    [{}, {}],
    [{ text: undefined }, {}],
    [
      { type: 'photo', text: 'a\n\tb\u001b', url: 'my-slug', title: '' },
      { type: 'photo', text: 'a\n\tb\u001b', url: 'my-slug', title: '' },
    ],
    [{ text: '😀'.repeat(100_000) }, { text: '😀'.repeat(100_000) }],
    [{ duration: 365 }, { duration: 365 }],
    [
      { featuredMedia: { path: 'HTTPS://A.example/b?c=d@e' } },
      { featuredMedia: { path: 'https://A.example/b?c=d@e' } },
    ],
    [
      { media: [{ path: 'https://127.0.0.1:8443/ä.png', userTags: [{ x: 0.5, y: null }] }] },
      { media: [{ path: 'https://127.0.0.1:8443/ä.png', userTags: [{ x: 0.5, y: null }] }] },
    ],
    [
      { link: { url: 'HTTP://a.example', images: null } },
      { link: { url: 'http://a.example', images: null } },
    ],
    [
      {
        details: {
          type: 'LONG_Post',
          privacy: 'Self_Only',
          language: 'pt-BR',
          start: '2026-05-01',
        },
      },
      {
        details: {
          type: 'long_post',
          privacy: 'Self_Only',
          language: 'pt-BR',
          start: '2026-05-01',
        },
      },
    ],
    [{ recycling: { gapFreq: 'Day', gap: 1_000 } }, { recycling: { gapFreq: 'days', gap: 1_000 } }],
    [{ recycling: { gapFreq: 'WEEKS' } }, { recycling: { gapFreq: 'weeks' } }],
    [
      { recycling: { gapFreq: 'month', startDate: '2028-02-29', expireDate: '2028-02-29' } },
      { recycling: { gapFreq: 'months', startDate: '2028-02-29', expireDate: '2028-02-29' } },
    ],
    [
      { recurring: { repeat: 'Weekly', daysOfWeek: ['Sunday', 4, 'FRI', 'mon', 0] } },
      { recurring: { repeat: 'weekly', daysOfWeek: [0, 4, 6] } },
    ],
    [{ recurring: { daysOfWeek: [] } }, { recurring: { daysOfWeek: [] } }],
    [
      {
        recurring: {
          startDate: '2026-05-01T09:00:00.123+14:00',
          endDate: '2026-04-30T19:00:00.123Z',
        },
      },
      {
        recurring: {
          startDate: '2026-05-01T09:00:00.123+14:00',
          endDate: '2026-04-30T19:00:00.123Z',
        },
      },
    ],
    [
      { recurring: { startDate: '2026-05-02T00:00:00Z', endDate: '2026-05-01' } },
      { recurring: { startDate: '2026-05-02T00:00:00Z', endDate: '2026-05-01' } },
    ],
    [
      { content: [{ type: 'Paragraph', data: nested(MAX_DATA_DEPTH) }] },
      { content: [{ type: 'paragraph', data: nested(MAX_DATA_DEPTH) }] },
    ],
    [{ location: { id: '42' } }, { location: { id: '42' } }],
    [{ location: { name: 'Here' } }, { location: { name: 'Here' } }],
    [
      {
        labels: [
          { name: ' Sale ', color: '#AbCdEf' },
          { name: 'sales', color: null },
        ],
      },
      {
        labels: [
          { name: 'Sale', color: '#abcdef' },
          { name: 'sales', color: null },
        ],
      },
    ],
    [
      { options: [' yes', 'no\n'], tags: ['a b'], categories: [] },
      { options: ['yes', 'no'], tags: ['a b'], categories: [] },
    ],
    [
      { options: ['A', 'a'], tags: ['Sea', 'sand', ' SEA', 'sea'], categories: ['x', 'x'] },
      { options: ['A', 'a'], tags: ['Sea', 'sand'], categories: ['x'] },
    ],
    [
      { scheduledAt: new Date('2026-05-01T09:00:00.999Z') },
      { scheduledAt: new Date('2026-05-01T09:00:00Z') },
    ],
  ])('%#', (input, patch) => {
    expect(readPatch(input)).toStrictEqual({ patch, problems: [] });
  });

  it('null for every field but the type', () => {
    const cleared = Object.fromEntries(
      PATCH_FIELDS.filter((field) => field !== 'type').map((field) => [field, null]),
    );
    expect(readPatch(cleared)).toStrictEqual({ patch: cleared, problems: [] });
  });

  it('a block’s data unchanged, with any keys', () => {
    const data: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":null}');
    expect(readPatch(block(data) as PatchInput).patch.content?.[0]?.data).toBe(data);
  });
});
