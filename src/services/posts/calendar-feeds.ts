import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import type { Viewer } from '../../domain/access/viewer.js';
import type { Refusal } from '../../domain/errors.js';
import { NETWORKS } from '../../domain/networks/networks.js';
import {
  CALENDAR_FEED_LIMITS,
  eventStatusOf,
  type CalendarFeed,
  type CalendarPost,
} from '../../domain/posts/calendar-feed.js';
import { isPrefixedId, type Account } from '../../domain/posts/post.js';
import { toPostState, type StateFilter } from '../../domain/posts/states.js';
import type {
  CalendarFeedStore,
  OpenCalendarFeed,
} from '../../persistence/posts/calendar-feeds.js';
import { linkSecrets } from '../access/link-secret.js';
import type { Clock } from '../clock.js';
import type { Ids } from '../ids.js';
import { inSlices } from '../long-work.js';

/** Path of a feed, without its secret. */
export const CALENDAR_PATH = '/calendar';

/** The member whose posts a feed shows, and the key that they used, if any. */
export interface FeedOwner {
  readonly workspaceId: string;
  readonly userId: string;
  readonly keyId: string | null;
}

/** A viewer as the owner of feeds. */
export const toFeedOwner = ({ workspace, user, key }: Viewer): FeedOwner => ({
  workspaceId: workspace.id,
  userId: user.id,
  keyId: key.id,
});

/** Result of a change of feeds. A refused one changes nothing. */
type FeedOutcome<Result> =
  | ({ readonly kind: 'done' } & Result)
  | { readonly kind: 'refused'; readonly refusals: readonly [Refusal, ...Refusal[]] };

/** A feed in the format of iCalendar (RFC 5545), and a tag that changes with it. */
export interface CalendarDocument {
  readonly text: string;
  readonly etag: string;
}

/** Addresses from which calendar programs read the posts that a member sees (D96). */
export interface CalendarFeeds {
  /** The member's feeds that can be used, newest first. */
  list(owner: FeedOwner): Promise<readonly CalendarFeed[]>;
  /** `url` contains the secret of the feed, which is not stored. */
  create(
    owner: FeedOwner,
    filter: Pick<CalendarFeed, 'accountIds' | 'states'>,
  ): Promise<FeedOutcome<{ readonly feed: CalendarFeed; readonly url: string }>>;
  /** From the next request on, the address leads to nothing. */
  revoke(owner: FeedOwner, id: string): Promise<FeedOutcome<{ readonly feed: CalendarFeed }>>;
  /**
   * The feed with a secret. Null if it is unknown or was revoked, or if its creator is no member
   * any more.
   */
  open(secret: string): Promise<OpenCalendarFeed | null>;
  /** The posts of 30 past days and of 180 days ahead, at most 2,000. */
  read(feed: OpenCalendarFeed): Promise<CalendarDocument>;
}

interface CalendarFeedDependencies {
  readonly store: CalendarFeedStore;
  readonly accounts: {
    accountsById(
      workspaceId: string,
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, Account>>;
  };
  readonly ids: Ids;
  readonly clock: Clock;
  /** URL of the gateway for calendar programs, without a slash at its end. */
  readonly publicUrl: () => string;
}

const SECRETS = linkSecrets('spc');

const refuse = (
  message: string,
  path: readonly string[] = [],
): Extract<FeedOutcome<unknown>, { kind: 'refused' }> => ({
  kind: 'refused',
  refusals: [{ code: 'RULE_VIOLATION', message, path, rule: 'D96' }],
});

/** Creates the use cases of calendar feeds. */
export function createCalendarFeeds({
  store,
  accounts,
  ids,
  clock,
  publicUrl,
}: CalendarFeedDependencies): CalendarFeeds {
  async function accountRefusal(workspaceId: string, accountIds: readonly string[]) {
    const max = CALENDAR_FEED_LIMITS.accounts;
    if (accountIds.length > max)
      return refuse(`accountIds must contain at most ${max} accounts.`, ['accountIds']);
    const known = await accounts.accountsById(
      workspaceId,
      accountIds.filter((id) => isPrefixedId('acc', id)),
    );
    const unknown = accountIds.find((id) => !known.has(id));
    return unknown === undefined
      ? null
      : refuse(`The workspace has no account ${JSON.stringify(unknown)}.`, ['accountIds']);
  }

  return {
    list: ({ workspaceId, userId }) => store.list(workspaceId, userId),

    async create(owner, filter) {
      const accountIds = [...new Set(filter.accountIds)];
      const states: readonly StateFilter[] = [...new Set(filter.states)];
      const refusal = await accountRefusal(owner.workspaceId, accountIds);
      if (refusal) return refusal;
      const feed = { id: ids.prefixed('cal'), accountIds, states, createdAt: clock.now() };
      const { secret, hash: tokenHash } = SECRETS.create();
      const max = CALENDAR_FEED_LIMITS.perMember;
      const isCreated = await store.create({ ...feed, ...owner, tokenHash }, max);
      return isCreated
        ? {
            kind: 'done',
            feed: { ...feed, revoked: false },
            url: `${publicUrl()}${CALENDAR_PATH}/${secret}.ics`,
          }
        : refuse(`You have ${max} calendar feeds in this workspace. Revoke one first.`);
    },

    async revoke(owner, id) {
      const feed = isPrefixedId('cal', id) ? await store.revoke(owner, id, clock.now()) : null;
      return feed
        ? { kind: 'done', feed }
        : refuse(`You have no calendar feed ${JSON.stringify(id)} in this workspace.`, ['id']);
    },

    async open(secret) {
      const hash = SECRETS.hashOf(secret);
      return hash && store.open(hash);
    },

    async read(feed) {
      const posts = await store.posts(feed, clock.now());
      const text = await inSlices(write(feed.workspaceName, posts));
      return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
    },
  };
}

/** Lines have 75 octets at most; the library does not count the space that a folded one begins with. */
ICAL.foldLength = 74;

/** Events of this length do not hide each other, and look like a point in time. */
const EVENT_MINUTES = 15;
const SUMMARY_LENGTH = 80;

/** Without the control characters that the format does not have. */
const plain = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

const timeOf = (date: Date): ICAL.Time => ICAL.Time.fromJSDate(date, true);

/** The title of an event: where the post appears, and how it begins. */
function summaryOf({ network, accountName, title, text }: CalendarPost): string {
  const place = [network && NETWORKS[network].name, accountName].filter(Boolean).join(', ');
  const words = (title ?? text).replace(/\s+/g, ' ').trim();
  const beginning =
    words.length > SUMMARY_LENGTH
      ? `${words.slice(0, SUMMARY_LENGTH).replace(/[\uD800-\uDBFF]$/, '')}…`
      : words;
  return [place, beginning].filter(Boolean).join(': ') || 'Post';
}

function eventOf(post: CalendarPost): ICAL.Component {
  const event = new ICAL.Component('vevent');
  const start = timeOf(post.scheduledAt);
  const end = start.clone();
  end.addDuration(ICAL.Duration.fromData({ minutes: EVENT_MINUTES }));
  const properties = {
    uid: post.id,
    sequence: post.version,
    dtstamp: timeOf(post.updatedAt),
    'last-modified': timeOf(post.updatedAt),
    dtstart: start,
    dtend: end,
    summary: plain(summaryOf(post)),
    status: eventStatusOf(post.storedState),
    categories: toPostState(post.storedState),
    // A post takes no time of a person.
    transp: 'TRANSPARENT',
    ...(post.text && { description: plain(post.text) }),
    ...(post.postLink && { url: post.postLink }),
  };
  for (const [name, value] of Object.entries(properties)) event.addPropertyWithValue(name, value);
  return event;
}

/** Writes a calendar, one event after another. */
function* write(name: string, posts: readonly CalendarPost[]): Generator<void, string> {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Posts Gateway//Calendar feed//EN');
  calendar.addPropertyWithValue('method', 'PUBLISH');
  calendar.addPropertyWithValue('x-wr-calname', plain(name));
  const events: string[] = [];
  for (const post of posts) {
    events.push(eventOf(post).toString());
    yield;
  }
  const end = 'END:VCALENDAR';
  const head = calendar.toString().slice(0, -end.length);
  return `${head}${events.map((event) => `${event}\r\n`).join('')}${end}\r\n`;
}
