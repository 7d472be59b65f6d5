import { editOn, createTestHttpClient, outcomeOf } from '../stand-ins/edit-requests.js';
import {
  aPoll,
  aStatus,
  mastodonCase,
  startMastodon,
  type MastodonState,
} from '../stand-ins/mastodon.js';

const http = createTestHttpClient();

/** Edits a status; returns the result and the status after it. */
async function edited(state: MastodonState, ...edit: Parameters<ReturnType<typeof editOn>>) {
  const standIn = await startMastodon(state);
  const result = await editOn(http, mastodonCase, standIn)(...edit);
  await standIn.close();
  expect(standIn.violations).toEqual([]);
  return { outcome: outcomeOf(result), poll: state.status.poll, text: state.source.text };
}
const withPoll = (poll: object = {}) =>
  aStatus({ status: { media_attachments: [], poll: aPoll(poll) } });

describe('a poll', () => {
  it('keeps options, choice, hidden counts and end when the text changes', async () => {
    expect(await edited(withPoll(), { type: 'poll', text: 'New' }, 'text')).toEqual({
      outcome: ['edited'],
      poll: aPoll(),
      text: 'New',
    });
  });

  it('keeps its counts visible', async () => {
    const options = [
      { title: 'Chaff', votes_count: 0 },
      { title: 'Bean', votes_count: 0 },
    ];
    expect(
      (await edited(withPoll({ options, multiple: false }), { type: 'poll', text: 'New' }, 'text'))
        .poll,
    ).toEqual(aPoll({ options, multiple: false }));
  });

  it('accepts new options, and a duration in days from its publication', async () => {
    const { poll } = await edited(
      withPoll(),
      { type: 'poll', options: ['Husk', 'Bean', 'Leaf'], duration: 7 },
      'options',
      'duration',
    );
    expect(poll).toEqual(
      aPoll({
        expires_at: '2026-11-27T08:00:00.000Z',
        options: ['Husk', 'Bean', 'Leaf'].map((title) => ({ title, votes_count: null })),
      }),
    );
  });

  it.each([
    ['has ended', { expires_at: '2026-11-21T07:00:00.000Z', expired: true }, 3, ['text'] as const],
    [
      'ends in less than five minutes',
      { expires_at: '2026-11-21T08:04:59.000Z' },
      3,
      ['text'] as const,
    ],
    ['would already have ended', {}, 1, ['duration'] as const],
  ])(
    'that %s is not edited, because an edit would reopen it',
    async (_name, poll, duration, changed) => {
      const state = withPoll(poll);
      expect(await edited(state, { type: 'poll', text: 'New', duration }, ...changed)).toEqual({
        outcome: [
          'NETWORK_REFUSED',
          'Mastodon rejected the change: the poll has ended or would end in less than five minutes, and an edit would reopen it.',
        ],
        poll: aPoll(poll),
        text: 'Old & gold',
      });
    },
  );
});

it.each([
  [
    'keeps the URL of a link post that was in its text',
    'Old https://kiosk.example/a',
    'New',
    'New\n\nhttps://kiosk.example/a',
  ],
  [
    'uses the position of the URL in the new text',
    'Old https://kiosk.example/a',
    'See https://kiosk.example/a now',
    'See https://kiosk.example/a now',
  ],
  ['adds no URL that was not in the text', 'Old', 'New', 'New'],
])('%s', async (_name, before, text, after) => {
  const state = aStatus({ source: { text: before }, status: { media_attachments: [] } });
  expect(
    (await edited(state, { type: 'link', url: 'https://kiosk.example/a', text }, 'text')).text,
  ).toBe(after);
});

it('keeps the question of a poll that was in its text', async () => {
  const state = withPoll();
  state.source.text = 'Which?\n\nOld';
  const post = { type: 'poll', question: 'Which?', text: 'New' } as const;
  expect((await edited(state, post, 'text')).text).toBe('Which?\n\nNew');
});

it.each([
  ['attachments', aStatus({ status: { media_attachments: undefined } }), 'list of attachments'],
  ['text', aStatus({ source: { text: undefined } }), 'source text'],
])(
  'changes nothing if the response has no %s, which would be deleted',
  async (_name, state, what) => {
    const before = structuredClone(state);
    expect((await edited(state, { type: 'status', text: 'New' }, 'text')).outcome).toEqual([
      'NETWORK_UNAVAILABLE',
      `Mastodon is unavailable: its response has no ${what}.`,
    ]);
    expect(state).toEqual(before);
  },
);

it.each([
  'ftp://social.example',
  'http://social.example',
  'https://ada:secret@social.example',
  'https://social.example/?a=b',
  'https://',
  'not a host',
])('rejects the instance URL %s', async (instance) => {
  const result = await mastodonCase
    .adapter(http, '')
    .check({ instance, accessToken: 'mastodon-access-token' });
  expect(outcomeOf(result)).toEqual([
    'NETWORK_NOT_CONNECTED',
    'The URL must start with https:// and must not contain a user name, a query or a fragment.',
  ]);
});
