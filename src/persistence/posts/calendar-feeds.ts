import {
  CALENDAR_FEED_LIMITS,
  type CalendarFeed,
  type CalendarPost,
} from '../../domain/posts/calendar-feed.js';
import {
  STATE_FILTERS,
  storedStateByNumber,
  storedStateNumbers,
  storedStatesOf,
  type StateFilter,
} from '../../domain/posts/states.js';
import type { Database } from '../database.js';

/** A feed, and who created it with which key. */
export interface NewCalendarFeed extends Omit<CalendarFeed, 'revoked'> {
  readonly workspaceId: string;
  readonly userId: string;
  /** Null if no key was used. */
  readonly keyId: string | null;
  /** SHA-256 of its secret. */
  readonly tokenHash: Uint8Array;
}

/** A feed that can be read, with the rights of the member who created it. */
export interface OpenCalendarFeed extends Pick<CalendarFeed, 'id' | 'accountIds' | 'states'> {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly userId: string;
}

/** One creation at a time for a member, so that no two of them find the last free place. */
const LOCK_MEMBER =
  'SELECT 1 FROM membership WHERE workspace_id = $1 AND user_id = $2 FOR NO KEY UPDATE';

/**
 * A feed ends with the membership and the plan of its creator, and with the key, unless the key
 * expired since. SQL: Prisma reads the five tables with five statements.
 */
const OPEN = `
SELECT f.id, f.account_ids AS "accountIds", f.states, f.workspace_id AS "workspaceId", w.name AS "workspaceName", f.user_id AS "userId"
  FROM calendar_feed f
  JOIN workspace w ON w.id = f.workspace_id
  JOIN app_user u ON u.id = f.user_id AND u.plan = 'business'
  JOIN membership m ON m.workspace_id = f.workspace_id AND m.user_id = f.user_id
 WHERE f.token_hash = $1 AND f.revoked_at IS NULL
   AND NOT EXISTS (SELECT FROM api_key k WHERE k.id = f.key_id AND k.revoked_at IS NOT NULL)`;

/**
 * Of a series, its occurrences are posts of their own. Private drafts are their creator's. SQL: the
 * order and the limit follow the index of sorted posts, and only the beginning of a text is read.
 */
const POSTS = `
SELECT p.doc_id AS id, p.version, p.stored_state AS "storedState", p.scheduled_at AS "scheduledAt", p.updated_at AS "updatedAt",
       b.title, left(b.text, $8::int) AS text, p.post_link AS "postLink", p.network::text AS network, a.name AS "accountName"
  FROM post p
  JOIN post_body b ON b.post_id = p.id
  LEFT JOIN account a ON a.id = p.account_id AND a.workspace_id = p.workspace_id
 WHERE p.workspace_id = $1 AND p.deleted_at IS NULL
   AND p.sort_at >= $2::timestamptz AND p.sort_at < $3::timestamptz
   AND p.stored_state = ANY($4::smallint[])
   AND (p.stored_state <> ALL($5::smallint[]) OR p.creator_id = $6)
   AND ($7::text[] = '{}' OR p.account_id = ANY($7::text[]))
 ORDER BY p.sort_at, p.id
 LIMIT $9::int`;

const PRIVATE = storedStateNumbers(STATE_FILTERS.draft_private.storedStates);

const SELECTED = {
  id: true,
  accountIds: true,
  states: true,
  createdAt: true,
  revokedAt: true,
} as const;

interface Row {
  readonly id: string;
  readonly accountIds: readonly string[];
  readonly states: readonly string[];
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}
const toFeed = ({ revokedAt, states, ...feed }: Row): CalendarFeed => ({
  ...feed,
  states: states as readonly StateFilter[],
  revoked: revokedAt !== null,
});

/** Calendar feeds, whose secrets are stored as hashes, and the posts that they show. */
export function createCalendarFeedStore(database: Database) {
  const { prisma, changeRecords } = database;
  return {
    /** False if the member has `max` feeds that can be used. */
    create: (feed: NewCalendarFeed, max: number): Promise<boolean> =>
      database.transaction(async (sql) => {
        const { id, workspaceId, userId, keyId, tokenHash, createdAt } = feed;
        await sql(LOCK_MEMBER, [workspaceId, userId]);
        const rows = await sql(
          `INSERT INTO calendar_feed (id, workspace_id, user_id, key_id, account_ids, states, token_hash, created_at)
           SELECT $1, $2, $3, $4, $5, $6, $7, $8
            WHERE (SELECT count(*) FROM calendar_feed WHERE workspace_id = $2 AND user_id = $3 AND revoked_at IS NULL) < $9::int
           RETURNING 1`,
          [id, workspaceId, userId, keyId, feed.accountIds, feed.states, tokenHash, createdAt, max],
        );
        return rows.length > 0;
      }),
    /** The feeds of a member that can be used, newest first. */
    async list(workspaceId: string, userId: string): Promise<readonly CalendarFeed[]> {
      const feeds = await prisma.calendarFeed.findMany({
        where: { workspaceId, userId, revokedAt: null },
        select: SELECTED,
        orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
      });
      return feeds.map(toFeed);
    },
    /** A feed that was revoked before keeps the first time. Null if the member has none of this ID. */
    async revoke(
      { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string },
      id: string,
      now: Date,
    ): Promise<CalendarFeed | null> {
      const where = { workspaceId, userId, id };
      await changeRecords(({ calendarFeed }) =>
        calendarFeed.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: now } }),
      );
      const feed = await prisma.calendarFeed.findFirst({ where, select: SELECTED });
      return feed && toFeed(feed);
    },
    /** The feed with a secret; null if it is unknown or cannot be read. */
    async open(tokenHash: Uint8Array): Promise<OpenCalendarFeed | null> {
      return (await database.scan<OpenCalendarFeed>(OPEN, [tokenHash]))[0] ?? null;
    },
    /** The posts of a feed around a time, in the order of their times. */
    async posts(feed: OpenCalendarFeed, now: Date): Promise<readonly CalendarPost[]> {
      const { pastMs, aheadMs, events, textLength } = CALENDAR_FEED_LIMITS;
      const states = storedStatesOf(feed.states) ?? STATE_FILTERS.all.storedStates;
      const rows = await database.scan<Omit<CalendarPost, 'storedState'> & { storedState: number }>(
        POSTS,
        [
          feed.workspaceId,
          new Date(now.getTime() - pastMs),
          new Date(now.getTime() + aheadMs),
          storedStateNumbers(states.filter((state) => state !== 'recurring')),
          PRIVATE,
          feed.userId,
          feed.accountIds,
          textLength,
          events,
        ],
      );
      return rows.map(({ storedState, ...post }) => ({
        ...post,
        storedState: storedStateByNumber.get(storedState)!,
      }));
    },
  };
}
export type CalendarFeedStore = ReturnType<typeof createCalendarFeedStore>;
