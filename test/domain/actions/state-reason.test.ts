import { stateReason } from '../../../src/domain/actions/state-reason.js';
import { enumKeys } from '../../../src/domain/enums.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { STORED_STATES } from '../../../src/domain/posts/states.js';
import type { PublicationRecord } from '../../../src/domain/publishing/publication-record.js';
import { aPost } from '../../fixtures/posts.js';

const at = new Date('2026-11-22T08:00:00Z');
/** Before the time of the posts. */
const now = new Date('2026-11-22T07:59:00Z');
const record = (given: Partial<PublicationRecord>): PublicationRecord => ({
  attempts: 1,
  result: null,
  error: null,
  publishedAt: null,
  openAttempt: null,
  ...given,
});
const error = (message: string, retryable: boolean) =>
  ({ code: 'X', message, source: 'network', retryable, field: null }) as const;

it.each(enumKeys(STORED_STATES))('explains %s in a complete sentence', (storedState) => {
  for (const given of [
    {},
    { publicationRecord: record({ error: error('The network said no.', false) }) },
    { account: null, network: null, scheduledAt: null },
  ] satisfies Partial<Post>[]) {
    const reason = stateReason(aPost({ storedState, ...given }), at);
    expect(reason).toMatch(/^[A-Za-z].*\.$/);
    expect(reason).not.toMatch(/undefined|null|\.\./);
  }
});

it.each<[string, Partial<Post>, string]>([
  ['waiting', {}, 'Scheduled for 22 Nov 2026, 08:00 UTC, when it is published on Kiosk.'],
  [
    'a reminder',
    { reminder: true },
    'Scheduled for 22 Nov 2026, 08:00 UTC, when its creator is reminded to publish it.',
  ],
  [
    'a due reminder',
    { reminder: true, queuedAt: at },
    'The post was due on 22 Nov 2026, 08:00 UTC: publish it on Kiosk yourself, then enter its link with resolvePublication.',
  ],
  ['queued', { queuedAt: at }, 'The post is due and is about to be sent to mastodon.'],
  ['armed', { queuedAt: at, armedAt: at }, 'The post is being sent to mastodon.'],
  [
    'processing',
    { queuedAt: at, armedAt: at, publicationRecord: record({ openAttempt: 'processing' }) },
    'mastodon has the post and is processing it.',
  ],
  [
    'waiting for the next attempt',
    {
      retryAt: new Date('2026-11-22T08:02:00Z'),
      publicationRecord: record({ error: error('It is too busy.', true) }),
    },
    'The last attempt did not publish the post: It is too busy. The next one follows on 22 Nov 2026, 08:02 UTC.',
  ],
  [
    'failed, and a retry can help',
    {
      storedState: 'failed',
      publicationRecord: record({ result: 'failed', error: error('It is too busy.', true) }),
    },
    'Not published: It is too busy. Retry it to publish it now.',
  ],
  [
    'failed, and a retry alone does not help',
    {
      storedState: 'failed',
      publicationRecord: record({ result: 'failed', error: error('Too long.', false) }),
    },
    'Not published: Too long. Change the post or its account, then retry it.',
  ],
  [
    'missed',
    {
      storedState: 'failed',
      publicationRecord: record({ result: 'missed', error: error('It was late.', true) }),
    },
    'It was late: retry it to publish it now.',
  ],
  [
    'unconfirmed',
    {
      storedState: 'failed',
      publicationRecord: record({ result: 'unconfirmed', error: error('It did not say.', false) }),
    },
    'It did not say. Check mastodon, then use resolvePublication, or retryPosts with confirmNotLive.',
  ],
  [
    'published',
    {
      storedState: 'published_posted',
      publicationRecord: record({ result: 'published', publishedAt: at }),
    },
    'Published on mastodon on 22 Nov 2026, 08:00 UTC.',
  ],
  [
    'declined',
    { storedState: 'scheduled_declined', review: { by: 'Ada', at, note: 'wrong link.' } },
    'Declined by Ada on 22 Nov 2026: wrong link. Change the post to request approval again.',
  ],
  [
    'a recycling post that is being sent',
    { storedState: 'recycling_active', queuedAt: at, armedAt: at },
    'The post is being sent to mastodon.',
  ],
  [
    'a recycling post whose time has come',
    { storedState: 'recycling_active', queuedAt: at },
    'The post is due and is about to be sent to mastodon.',
  ],
  [
    'pending',
    { storedState: 'scheduled_pending' },
    'Waiting for approval by an owner or admin. It is planned for 22 Nov 2026, 08:00 UTC.',
  ],
  [
    'pending, and was created to be shared now',
    { storedState: 'scheduled_pending', createdAt: new Date(at.getTime() + 900) },
    'Waiting for approval by an owner or admin. It is published as soon as it is approved.',
  ],
  [
    'pending, and was scheduled to be shared now',
    { storedState: 'scheduled_pending', updatedAt: new Date(at.getTime() + 900) },
    'Waiting for approval by an owner or admin. It is published as soon as it is approved.',
  ],
  [
    'waiting for its media',
    { publicationHold: 'media_waiting' },
    'Scheduled for 22 Nov 2026, 08:00 UTC, when it is published on Kiosk. The post is published only after all of its files have arrived.',
  ],
  [
    'a draft whose media could not be fetched',
    { storedState: 'draft_undated', scheduledAt: null, publicationHold: 'media_failed' },
    'A draft: it is not published until it is scheduled. One of its files could not be fetched or was not sent: replace the file.',
  ],
  [
    'in a paused queue',
    { storedState: 'scheduled_approved', publicationHold: 'queue_paused' },
    'Approved and scheduled for 22 Nov 2026, 08:00 UTC, when it is published on Kiosk. The queue of Kiosk is paused: the post is not published until it is resumed.',
  ],
  [
    'scheduled in a locked workspace',
    { publicationHold: 'workspace_locked' },
    'Scheduled for 22 Nov 2026, 08:00 UTC, when it is published on Kiosk. The workspace is locked: nothing is published until an operator unlocks it.',
  ],
  [
    'queued while publication is paused',
    { queuedAt: at, publicationHold: 'publishing_paused' },
    'The post is due and is about to be sent to mastodon. Publication is paused: nothing is published until an operator resumes it.',
  ],
  [
    'a draft in a paused queue',
    { storedState: 'draft_undated', scheduledAt: null, publicationHold: 'queue_paused' },
    'A draft: it is not published until it is scheduled.',
  ],
  [
    'pending for an account that needs reauthorization',
    {
      storedState: 'scheduled_pending',
      account: { ...aPost().account!, needsReauth: true },
    },
    'Waiting for approval by an owner or admin. It is planned for 22 Nov 2026, 08:00 UTC. mastodon no longer accepts the credentials of Kiosk: connect it again.',
  ],
  [
    'declined, without the reason',
    { storedState: 'recycling_declined' },
    'Declined. Change the post to request approval again.',
  ],
])('explains what is %s', (_name, given, reason) => {
  expect(stateReason(aPost(given), now)).toBe(reason);
});

it.each([{}, { updatedAt: new Date(at.getTime() + 60_000) }])(
  'names what publishes a pending post whose time has passed, also if it was changed since',
  (given) => {
    const post = aPost({ storedState: 'scheduled_pending', ...given });
    expect(stateReason(post, new Date(at.getTime() + 120_000))).toBe(
      'Waiting for approval by an owner or admin. Its time, 22 Nov 2026, 08:00 UTC, has passed: approve it with publishLate to publish it, or give it another time.',
    );
  },
);
