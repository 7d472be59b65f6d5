import type { ValuePools } from '../fixtures/random/values.js';

/** Runs a statement and returns its first column as text. */
export type ColumnReader = (sql: string) => Promise<string[]>;

const UNKNOWN_IDS = [
  '',
  'nope',
  '0',
  '-1',
  '2147483648',
  '000000000000000000000000',
  'F00000000000000000000003',
  'acc_unknown',
  'lbl_',
  'ｗks_1',
  '../posts',
  "'; DROP TABLE post; --",
];
const TIMES = [
  '2026-11-21T09:00:00Z',
  '2020-01-01T00:00:00Z',
  '2031-12-31T23:59:59.999+14:00',
  '2026-03-29T02:30:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
];
const DATES = ['2026-12-01', '2026-02-30', '2027-01-31', '2026-11-21 09:00:00', ...TIMES];
const TEXTS = [
  '',
  ' ',
  'Kaffee',
  'Grüße aus Hamburg',
  '林美玲 コーヒー',
  '🎉👩‍👩‍👧‍👦',
  'a\u0000b',
  '<script>alert(1)</script>',
  '%_\\',
  '{{x}}',
  'x'.repeat(3_000),
];
const URLS = [
  'https://example.com/a.png',
  'http://example.com',
  'HTTPS://EXAMPLE.COM/%F0%9F',
  'javascript:alert(1)',
  'https://user:pw@example.com/',
  'https://exa mple.com',
  'ein-beitrag',
];
const KEYS = ['k1', 'k2', 'x'.repeat(255), 'x'.repeat(256)];

/**
 * Values by location: IDs of existing records, unknown and malformed IDs, and edge cases of every
 * format.
 */
export async function readValuePools(readColumn: ColumnReader): Promise<ValuePools> {
  const [documents, relational, accounts, labels, media, users, jobs, notifications, workspaces] =
    (await Promise.all([
      readColumn('SELECT doc_id FROM post'),
      readColumn('SELECT id FROM post'),
      readColumn('SELECT id FROM account'),
      readColumn('SELECT id FROM label'),
      readColumn('SELECT id FROM media'),
      readColumn('SELECT id FROM app_user'),
      readColumn('SELECT id FROM job'),
      readColumn('SELECT id FROM notification'),
      readColumn('SELECT id FROM workspace'),
    ])) as [
      string[],
      string[],
      string[],
      string[],
      string[],
      string[],
      string[],
      string[],
      string[],
    ];
  const posts = [
    ...documents,
    ...documents.slice(0, 5).map((id) => id.toUpperCase()),
    ...relational.slice(0, 50),
    ...UNKNOWN_IDS,
  ];
  const names = ['Release', 'release', 'Neu', 'x'.repeat(100), ...TEXTS];
  const paths = [...URLS, 'https://media.example/b.jpg'];
  const sizes = [1, 2, 3, 5, 20];
  return {
    'Query.post.id': posts,
    'Query.jobStatus.id': [...jobs, ...UNKNOWN_IDS],
    'UpdatePostInput.id': posts,
    'PostRefInput.id': posts,
    'ResolvePublicationInput.id': posts,
    ids: posts,
    postIds: posts,
    jobId: [...jobs, ...UNKNOWN_IDS],
    'Query.nodes.ids': [
      ...documents.slice(0, 20),
      ...accounts,
      ...labels,
      ...media,
      ...users,
      ...jobs,
      ...notifications,
      ...workspaces,
      ...UNKNOWN_IDS,
    ],
    'Query.node.id': [
      ...documents.slice(0, 20),
      ...accounts,
      ...labels,
      ...media,
      ...users,
      ...jobs,
      ...notifications,
      ...workspaces,
      ...UNKNOWN_IDS,
    ],
    id: [...posts, ...media],
    accountIds: [...accounts, ...UNKNOWN_IDS],
    'PostTargetInput.accountId': [...accounts, ...UNKNOWN_IDS],
    memberId: [...users, ...UNKNOWN_IDS],
    labelIds: [...labels, ...UNKNOWN_IDS],
    groupIds: ['grp_none', ...UNKNOWN_IDS],
    'MediaInput.id': [...media, ...UNKNOWN_IDS],
    'Query.accounts.first': [0, 1, 3, 100, 1_000],
    first: sizes,
    last: sizes,
    page: [0, 1, 2, 7, -1, 2_147_483_647],
    query: [
      'Kaffee',
      '"neue Röstung"',
      '-Kaffee',
      'コーヒー',
      '#kaffee @nordlicht',
      '" ',
      '- -',
      ...TEXTS,
    ],
    from: DATES,
    to: DATES,
    'PostFilter.from': TIMES,
    'PostFilter.to': TIMES,
    scheduledAt: [...TIMES, '2027-05-01T10:00:00Z'],
    text: TEXTS,
    title: TEXTS,
    excerpt: TEXTS,
    name: names,
    color: ['#2f9e44', '#fff', '', 'red'],
    url: paths,
    path: paths,
    startDate: DATES,
    endDate: DATES,
    expireDate: DATES,
    start: DATES,
    end: DATES,
    repeat: ['daily', 'Weekly', 'monthly', 'yearly', 'hourly'],
    repeatRate: [0, 1, 2, 1_000],
    daysOfWeek: [0, 6, 7, 'Monday', 'sunday'],
    gap: [0, 1, 7],
    gapFreq: ['days', 'Week', 'months', 'years'],
    language: ['de', 'zh-Hant-TW', 'x', '!!'],
    privacy: ['public', 'SELF_ONLY', 'friends'],
    'ContentBlockInput.type': [
      'paragraph',
      'header',
      'list',
      'media',
      'table',
      'html',
      'quote',
      'poem',
    ],
    duration: [1, 7, 0, 366],
    expectedVersion: [1, 2, 0],
    idempotencyKey: KEYS,
    'Idempotency-Key': ['k1', 'k2', 'x'.repeat(256)],
    'If-Match': ['*', '"1-x"', '"2-x", "3-y"', 'W/"1-x"', '1', '""'],
    'If-None-Match': ['*', '"1-x"', 'x'],
    advanceSeconds: [0, 60, -1],
    delayMs: [1],
    clientMutationId: ['c', ...TEXTS],
  };
}
