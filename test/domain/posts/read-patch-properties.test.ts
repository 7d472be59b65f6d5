import fc from 'fast-check';
import { PATCH_FIELDS, readPatch } from '../../../src/domain/posts/post-fields.js';

describe('readPatch, for any input', () => {
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      'a\u0007',
      '2026-02-30',
      '2026-05-01',
      'https://a.example',
      'https://u:p@a.example',
      'mon',
      'PUBLIC',
      NaN,
      Infinity,
      -0,
    ),
    fc.array(fc.constantFrom('mon', 'Mon', 'x', 0, 9, null), { maxLength: 9 }),
    fc.date({ noInvalidDate: false }),
  );
  const full: Record<string, unknown> = {
    type: 'poll',
    text: 't',
    url: 'u',
    title: 't',
    excerpt: 'e',
    question: 'q',
    duration: 3,
    featuredMedia: { path: 'https://a.example/p' },
    media: [
      {
        id: 'med_1',
        path: 'https://a.example/p',
        title: 't',
        caption: 'c',
        inLibrary: true,
        defaultThumbnail: 'https://a.example/p',
        thumbnails: { real: 'https://a.example/p', small: 'https://a.example/p' },
        userTags: [{ id: 'i', name: 'n', x: 1, y: 0 }],
        collaboratorTags: [{}],
        productTags: [{}],
      },
    ],
    link: {
      url: 'https://a.example',
      callToAction: 'c',
      phoneNumber: '1',
      providerDisplay: 'p',
      originalDescription: 'd',
      originalTitle: 't',
      description: 'd',
      title: 't',
      defaultImage: 'https://a.example',
      images: ['https://a.example'],
      originalImages: [],
    },
    details: {
      type: 'reel',
      feed: true,
      reminder: true,
      title: 't',
      start: '2026-05-01',
      end: '2026-05-02',
      coupon: 'c',
      terms: 't',
      audio: 'a',
      privacy: 'public',
      comment: true,
      duet: true,
      stitch: true,
      promotional: true,
      paid: true,
      language: 'en',
      autoAddMusic: true,
      textFormatPresetId: '1',
      boost: true,
      sponsor: { id: '1', name: 'n', verified: true, boost: true },
    },
    recycling: {
      solo: true,
      gap: 1,
      gapFreq: 'days',
      label: 'l',
      startDate: '2026-05-01',
      expireDate: '2026-05-02',
      expireCount: 1,
    },
    recurring: {
      startDate: '2026-05-01',
      endDate: '2026-05-02',
      repeat: 'daily',
      repeatRate: 1,
      daysOfWeek: [0, 'tue'],
    },
    content: [{ type: 'code', data: { a: 'x' } }],
    location: { id: '1', name: 'n' },
    labels: [{ name: 'Mon', color: '#AABBCC' }, { name: 'b' }],
    options: ['a'],
    tags: ['a'],
    categories: ['a'],
    sublinks: [{ url: 'https://a.example', title: 't' }],
    networkOptions: {
      boardId: '1',
      visibility: 'unlisted',
      sensitive: true,
      spoilerText: 's',
      replySettings: 'r',
      category: '1',
      parseMode: 'HTML',
      disableNotification: true,
    },
    scheduledAt: new Date('2026-05-01T09:00:00.5Z'),
  };
  /** Every path in the full input, lists and objects included. */
  const placesIn = (value: unknown, path: (string | number)[] = []): (string | number)[][] => [
    path,
    ...(typeof value !== 'object' || value === null || value instanceof Date
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          placesIn(inner, [...path, Array.isArray(value) ? Number(key) : key]),
        )),
  ];
  const places = placesIn(full).filter((path) => path.length > 0);
  const put = (into: unknown, [key, ...rest]: (string | number)[], value: unknown): void => {
    const holder = into as Record<string | number, unknown>;
    if (typeof holder !== 'object' || holder === null || holder instanceof Date) return;
    if (rest.length === 0) holder[key!] = value;
    else put(holder[key!], rest, value);
  };
  const input = fc
    .array(fc.tuple(fc.constantFrom(...places), fc.option(strange)), { maxLength: 6 })
    .map((changes) => {
      const made = structuredClone(full);
      for (const [path, value] of changes) put(made, path, value);
      return made;
    });

  it('reads the full input without problems (precondition: every leaf is reached)', () => {
    expect(Object.keys(full).sort()).toEqual([...PATCH_FIELDS].sort());
    expect(readPatch(full).problems).toEqual([]);
  });

  it('never throws, reports only existing paths, and is idempotent', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { patch, problems } = readPatch(given);
        for (const { path } of problems) {
          let at: unknown = given;
          for (const key of path) {
            expect(Object.hasOwn(at as object, key)).toBe(true);
            at = (at as Record<string | number, unknown>)[key];
          }
        }
        expect(readPatch(patch)).toStrictEqual({ patch, problems: [] });
      }),
      { numRuns: 1_000 },
    );
  });
});
