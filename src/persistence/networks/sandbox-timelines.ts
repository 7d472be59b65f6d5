import { withLiveFields, type LiveFields } from '../../domain/networks/live-fields.js';
import { mediaTypeOf, type Attachment } from '../../domain/posts/post-content.js';
import { NETWORK_FIELDS } from '../../domain/posts/post-fields.js';
import { BLANK_POST, type Account, type Post, type PostId } from '../../domain/posts/post.js';
import { STORED_STATES } from '../../domain/posts/states.js';
import type { SandboxTimeline, SandboxView } from '../../domain/networks/sandbox.js';
import type { Database } from '../database.js';
import { allFromStored, toPostView, type PostRow, toSelectList } from '../posts/post-rows.js';
import { readPostRows } from '../posts/related-rows.js';

/** The fields of a post that the sandbox shows. */
const FIELDS: ReadonlySet<keyof Post> = new Set(['network', 'networkOptions', ...NETWORK_FIELDS]);
const { published_posted: POSTED, published_deleted: REMOVED } = STORED_STATES;

const ACCOUNT = `json_build_object('id', a.id, 'type', a.type, 'name', a.name, 'picture', a.picture, 'network', a.network, 'socialId', a.social_id, 'needsReauth', a.needs_reauth, 'sandbox', a.sandbox)`;

/** Imported posts have IDs of their own networks. */
const IS_DELIVERED = `EXISTS (SELECT FROM sandbox_delivery d WHERE d.account_id = p.account_id AND d.id = CASE WHEN p.remote_id ~ '^[1-9][0-9]{0,17}$' THEN p.remote_id::bigint END)`;

/** Which posts are read, as conditions of the two parts of ON_NETWORK. */
interface PostFilter {
  /** Of deliveries `d`, with the service's record `r`. */
  readonly delivered: string;
  /** Of posts `p` that the network never took. */
  readonly undelivered: string;
}

/**
 * The newest $2 posts that the account `a` has on the sandbox network: those that the network has
 * taken, with the service's record of them if there is one; and published posts that the network
 * never took, such as those of the demo, which the service alone knows of. A record without the
 * network's ID is not that of the delivery: the service considers it as not published.
 */
const onNetwork = ({ delivered, undelivered }: PostFilter): string => `
SELECT * FROM (
  (SELECT d.id AS delivery_id, d.content, d.post_doc_id, d.taken_at AS shown_at, r.id AS post_id
     FROM sandbox_delivery d
     LEFT JOIN LATERAL (
       SELECT p.id, p.doc_id, p.stored_state FROM post p WHERE p.doc_id = d.post_doc_id AND p.remote_id = d.id::text
       UNION ALL
       SELECT p.id, p.doc_id, p.stored_state FROM post p WHERE p.recycled_from_id = d.post_doc_id AND p.remote_id = d.id::text
       LIMIT 1) r ON true
     LEFT JOIN sandbox_post s ON s.post_id = r.id
    WHERE d.account_id = a.id AND d.removed_at IS NULL AND s.deleted_at IS NULL AND r.stored_state IS DISTINCT FROM ${REMOVED.number} AND ${delivered}
    ORDER BY d.taken_at DESC, d.id DESC LIMIT $2)
  UNION ALL
  (SELECT NULL, NULL, p.doc_id, p.scheduled_at, p.id
     FROM post p LEFT JOIN sandbox_post s ON s.post_id = p.id
    WHERE p.account_id = a.id AND p.stored_state = ${POSTED.number} AND p.deleted_at IS NULL AND s.deleted_at IS NULL AND NOT ${IS_DELIVERED} AND ${undelivered}
    ORDER BY p.sort_at DESC, p.id DESC LIMIT $2)
) n ORDER BY n.shown_at DESC, n.delivery_id DESC NULLS LAST, n.post_id DESC LIMIT $2`;

const { columns, join } = toSelectList(FIELDS);
/** The sandbox accounts of the workspace $1 that $3 selects, with their posts. */
const timelinesOf = (accounts: string, posts: PostFilter): string => `
SELECT ${ACCOUNT} AS "timelineAccount", n.delivery_id IS NOT NULL OR n.post_id IS NOT NULL AS "hasPost", n.content AS "takenContent", n.post_doc_id AS "documentId", n.shown_at AS "shownAt",
       COALESCE(s.fields, y.live) AS "liveFields", s.edits, s.edited_at AS "editedAt", ${columns}
  FROM (SELECT * FROM account WHERE workspace_id = $1 AND sandbox ${accounts}) a
  LEFT JOIN LATERAL (${onNetwork(posts)}) n ON true
  LEFT JOIN LATERAL (SELECT * FROM post WHERE id = n.post_id OFFSET 0) p ON true ${join}
  LEFT JOIN sandbox_post s ON s.post_id = n.post_id
  LEFT JOIN post_sync y ON y.post_id = n.post_id
 ORDER BY a.network, a.name, a.id, n.shown_at DESC, n.delivery_id DESC NULLS LAST, n.post_id DESC`;

const TIMELINES = timelinesOf('ORDER BY network, name, id LIMIT $3', {
  delivered: 'true',
  undelivered: 'true',
});
/**
 * One post, by an expression of its document ID. Deliveries of a recycling post are stored under
 * its ID, and shown as those of its copies.
 */
const onePost = (id: string): string =>
  timelinesOf(
    `AND id IN (SELECT account_id FROM sandbox_delivery WHERE post_doc_id = ${id} UNION ALL SELECT account_id FROM post WHERE doc_id = ${id})`,
    {
      delivered: `d.post_doc_id IN (${id}, (SELECT recycled_from_id FROM post WHERE doc_id = ${id})) AND COALESCE(r.doc_id, d.post_doc_id) = ${id}`,
      undelivered: `p.doc_id = ${id}`,
    },
  );
const ONE_POST: Readonly<Record<PostId['kind'], string>> = {
  document: onePost('$3::char(24)'),
  database: onePost('(SELECT doc_id FROM post WHERE id = $3::bigint AND workspace_id = $1)'),
};

/** Content as the publisher of the sandbox network stores it. */
type TakenContent = Partial<Pick<Post, 'question' | 'options'>> &
  Pick<Post, 'type' | 'text' | 'title' | 'url'> & { readonly media: readonly string[] };

type TimelineRow = PostRow & {
  readonly timelineAccount: Account;
  readonly hasPost: boolean;
  readonly takenContent: TakenContent | null;
  readonly documentId: string;
  readonly shownAt: Date;
  readonly liveFields: LiveFields | null;
  readonly edits: number | null;
  readonly editedAt: Date | null;
};

const toAttachment = (url: string): Attachment => ({
  id: '',
  type: mediaTypeOf(url),
  url,
  altText: null,
  title: null,
  defaultThumbnail: null,
  thumbnails: null,
  userTags: [],
  collaboratorTags: [],
  productTags: [],
});

/** The post as the network took it. */
const toTakenPost = (row: TimelineRow): Post =>
  ({
    ...BLANK_POST,
    ...row.takenContent,
    media: row.takenContent!.media.map(toAttachment),
    id: row.documentId,
    network: row.timelineAccount.network,
    accountId: row.timelineAccount.id,
  }) as Post;

function toSandboxView(row: TimelineRow, database: Database): SandboxView {
  const { liveFields, edits, editedAt, shownAt } = row;
  const post = row.id
    ? withLiveFields(toPostView(row) as Post, allFromStored(liveFields ?? {}, database))
    : toTakenPost(row);
  return { post: { ...post, scheduledAt: shownAt }, edits: edits ?? 0, editedAt };
}

/** Reads what the readers of the sandbox network see from PostgreSQL. */
export const createSandboxTimelineStore = (database: Database) => ({
  /**
   * The post as it is on the network, in any state that it has in the service; null if the accounts of the
   * workspace do not have it there.
   */
  async find(workspaceId: string, postId: PostId): Promise<SandboxView | null> {
    const text = ONE_POST[postId.kind];
    const statement = { text, values: [workspaceId, 1, postId.id] };
    const rows = await readPostRows<TimelineRow>(database, statement, FIELDS);
    const row = rows.find(({ hasPost }) => hasPost);
    return row ? toSandboxView(row, database) : null;
  },
  /** The accounts, by network and name, each with its newest posts; at most as many as given. */
  async timelines(
    workspaceId: string,
    { accounts, posts }: { readonly accounts: number; readonly posts: number },
  ): Promise<SandboxTimeline[]> {
    const statement = { text: TIMELINES, values: [workspaceId, posts, accounts] };
    const rows = await readPostRows<TimelineRow>(database, statement, FIELDS);
    const timelines = new Map<string, SandboxTimeline & { posts: SandboxView[] }>();
    for (const row of rows) {
      const { timelineAccount: account } = row;
      const timeline = timelines.get(account.id) ?? { account, posts: [] };
      timelines.set(account.id, timeline);
      if (row.hasPost) timeline.posts.push(toSandboxView(row, database));
    }
    return [...timelines.values()];
  },
});

export type SandboxTimelineStore = ReturnType<typeof createSandboxTimelineStore>;
