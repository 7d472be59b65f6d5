import { editAt, openTestWeb, told } from './stand-ins/asking.js';
import {
  aPoll,
  aStatus,
  mastodonCase,
  openMastodon,
  type ShownStatus,
} from './stand-ins/mastodon.js';

const web = openTestWeb();

/** Edits a status that is as given, and shows what became of it. */
async function edited(shown: ShownStatus, ...edit: Parameters<ReturnType<typeof editAt>>) {
  const there = await openMastodon(shown);
  const result = await editAt(web, mastodonCase, there)(...edit);
  await there.close();
  expect(there.complaints).toEqual([]);
  return { told: told(result), poll: shown.status.poll, text: shown.source.text };
}
const withPoll = (poll: object = {}) =>
  aStatus({ status: { media_attachments: [], poll: aPoll(poll) } });

describe('a poll', () => {
  it('stays as it is when the text changes: options, choice, hidden counts and its end', async () => {
    expect(await edited(withPoll(), { type: 'poll', text: 'New' }, 'text')).toEqual({
      told: ['edited'],
      poll: aPoll(),
      text: 'New',
    });
  });

  it('shows its counts where it did', async () => {
    const options = [
      { title: 'Chaff', votes_count: 0 },
      { title: 'Bean', votes_count: 0 },
    ];
    expect(
      (await edited(withPoll({ options, multiple: false }), { type: 'poll', text: 'New' }, 'text'))
        .poll,
    ).toEqual(aPoll({ options, multiple: false }));
  });

  it('takes new options, and a duration in days from its publication', async () => {
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
    ['ends in a moment', { expires_at: '2026-11-21T08:04:59.000Z' }, 3, ['text'] as const],
    ['would have ended by now', {}, 1, ['duration'] as const],
  ])(
    'that %s is not edited, as that would open it again',
    async (_name, poll, duration, changed) => {
      const shown = withPoll(poll);
      expect(await edited(shown, { type: 'poll', text: 'New', duration }, ...changed)).toEqual({
        told: [
          'NETWORK_REFUSED',
          'Mastodon does not accept the change: the poll would end in less than five minutes or has ended, and an edit would open it again.',
        ],
        poll: aPoll(poll),
        text: 'Old & gold',
      });
    },
  );
});

it.each([
  [
    'keeps the address of a link post that stood in its text',
    'Old https://kiosk.example/a',
    'New',
    'New\n\nhttps://kiosk.example/a',
  ],
  [
    'lets the new text place it',
    'Old https://kiosk.example/a',
    'See https://kiosk.example/a now',
    'See https://kiosk.example/a now',
  ],
  ['adds none that was not there', 'Old', 'New', 'New'],
])('%s', async (_name, before, text, after) => {
  const shown = aStatus({ source: { text: before }, status: { media_attachments: [] } });
  expect(
    (await edited(shown, { type: 'link', url: 'https://kiosk.example/a', text }, 'text')).text,
  ).toBe(after);
});

it.each([
  ['attachments', aStatus({ status: { media_attachments: undefined } }), 'list of attachments'],
  ['text', aStatus({ source: { text: undefined } }), 'source text'],
])(
  'changes nothing where the answer lacks the %s, which would be lost',
  async (_name, shown, what) => {
    const before = structuredClone(shown);
    expect((await edited(shown, { type: 'status', text: 'New' }, 'text')).told).toEqual([
      'NETWORK_UNAVAILABLE',
      `Mastodon is not available: its answer has no ${what}.`,
    ]);
    expect(shown).toEqual(before);
  },
);

it.each([
  'ftp://social.example',
  'http://social.example',
  'https://ada:secret@social.example',
  'https://social.example/?a=b',
  'https://',
  'not a host',
])('takes no instance at %s', async (instance) => {
  const result = await mastodonCase
    .adapter(web, '')
    .check({ instance, accessToken: 'mastodon-access-token' });
  expect(told(result)).toEqual([
    'NETWORK_NOT_CONNECTED',
    'The address must be one that begins with https://, without a user, a query or a fragment.',
  ]);
});
