import type { Account } from '../../src/domain/posts/post.js';
import { writeCursor } from '../../src/graphql/connection/cursor.js';
import { rowsWith } from '../fixtures/every-row.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { Attacked } from './attacked.js';

/** What every text of the victim's has in it; nobody else has it in theirs. */
export const MARK = 'Quince';

/** A kind of id: one of the victim's, and its twin that nobody has. */
export interface ForeignId {
  readonly kind: string;
  readonly foreign: string;
  readonly unknown: string;
}

/** Who has changed the text of one post and has deleted another under one idempotency key. */
export interface KeyUser {
  readonly by: KeyedViewer;
  readonly key: string;
  readonly changed: string;
  readonly text: string;
  readonly gone: string;
}

export interface Victim {
  readonly viewer: KeyedViewer;
  /** Who changed something here under an idempotency key: the victim, and the member of theirs in question. */
  readonly keyUsers: readonly KeyUser[];
  /** One of each kind. */
  readonly ids: readonly ForeignId[];
  /** What of a text is the victim's, beside what was sent. */
  leaksIn(text: string, sent: string): readonly string[];
  /** Rows that came and went since the victim was made, but for those of this other workspace. */
  changes(workspaceId: string): Promise<{ came: readonly string[]; went: readonly string[] }>;
}

/** Kinds of foreign id that are a post's document id. */
export const DOCUMENT_KINDS = [
  'post',
  'published post',
  'private draft',
  'series',
  'child of a series',
] as const;

/** A key that nobody has used. */
export const UNUSED_KEY = 'zora-idempotency';
const UNKNOWN_DOCUMENT = 'fedcba9876543210fedcba98';
/** So long that no other number looks like them. */
const FOREIGN_NUMBER = 1_888_888_888;
const UNKNOWN_NUMBER = 1_999_999_999;
const UNKNOWN_PART = '0000000000000000';

/** A workspace with something of everything that has an id, and this member. */
export async function aVictim(
  attacked: Attacked,
  member: Pick<KeyedViewer, 'user'>,
): Promise<Victim> {
  const { records, graphql, db, guard } = attacked;
  guard(MARK);
  const viewer = await records.aViewer({ name: `${MARK} Vera` });
  const {
    workspace: { id: workspaceId },
    user,
  } = viewer;
  const there = await records.aViewer({ workspaceId, role: 'admin', userId: member.user.id });
  const account = await records.anAccount({
    workspaceId,
    name: `${MARK} account`,
    network: 'facebook',
    type: 'page',
    sandbox: true,
  });
  const label = await records.aLabel({ workspaceId, name: `${MARK} label` });
  const media = await records.aMedia({
    workspaceId,
    altText: `${MARK} picture`,
    title: `${MARK} title`,
  });
  const scheduled = await records.aPost({
    by: viewer,
    account,
    text: `${MARK} scheduled`,
    title: `${MARK} title`,
    databaseId: FOREIGN_NUMBER,
    labels: [label],
    media: [media],
  });
  const draft = await records.aPost({
    by: viewer,
    cell: 'draft_private_undated',
    text: `${MARK} draft`,
  });
  const series = await records.aPost({
    by: viewer,
    account,
    cell: 'recurring',
    text: `${MARK} series`,
    recurring: { repeat: 'daily', startDate: '2030-06-10T08:00:00Z' },
  });
  const child = await records.aPost({
    by: viewer,
    account,
    parentId: series.databaseId,
    databaseId: FOREIGN_NUMBER + 1,
    text: `${MARK} child`,
  });
  const victims = await usesKey(attacked, { by: viewer, key: 'vera-idempotency', account });
  const members = await usesKey(attacked, { by: there, key: 'mona-idempotency', account });
  const notification = await db.prisma.notification.create({
    data: {
      id: records.ids.prefixed('ntf'),
      userId: user.id,
      workspaceId,
      kind: 'approval_needed',
      message: `${MARK} message`,
      postId: scheduled.databaseId,
    },
  });
  const {
    body: {
      data: {
        viewer: {
          key: { id: keyId },
          notifications,
        },
        post: { occurrences },
        ...lists
      },
    },
  } = await graphql(
    `
      query ($series: ID!) {
        posts(first: 1) {
          pageInfo {
            endCursor
          }
        }
        labels(first: 1) {
          pageInfo {
            endCursor
          }
        }
        media(first: 1) {
          pageInfo {
            endCursor
          }
        }
        viewer {
          key {
            id
          }
          notifications(first: 1) {
            pageInfo {
              endCursor
            }
          }
        }
        post(id: $series) {
          occurrences(first: 1) {
            pageInfo {
              endCursor
            }
          }
        }
      }
    `,
    { series: series.id },
    { as: viewer },
  );

  const prefixed: Record<string, string> = {
    account: account.id,
    label: label.id,
    media: media.id,
    user: user.id,
    workspace: workspaceId,
    job: victims.jobId,
    notification: notification.id,
    key: keyId,
  };
  const cursors = Object.entries<{ pageInfo: { endCursor: string } }>({
    ...lists,
    notifications,
    occurrences,
  });
  const documents: Record<(typeof DOCUMENT_KINDS)[number], string> = {
    post: scheduled.id,
    'published post': victims.changed,
    'private draft': draft.id,
    series: series.id,
    'child of a series': child.id,
  };
  const ids: ForeignId[] = [
    ...Object.entries(documents).map(([kind, foreign]) => ({
      kind,
      foreign,
      unknown: UNKNOWN_DOCUMENT,
    })),
    {
      kind: 'relational post',
      foreign: String(scheduled.databaseId),
      unknown: String(UNKNOWN_NUMBER),
    },
    ...Object.entries(prefixed).map(([kind, foreign]) => ({
      kind,
      foreign,
      unknown: foreign.slice(0, 4) + UNKNOWN_PART,
    })),
    ...cursors.map(
      ([
        list,
        {
          pageInfo: { endCursor },
        },
      ]) => ({ kind: `cursor of ${list}`, foreign: endCursor, unknown: twinOf(endCursor) }),
    ),
    { kind: 'idempotency key', foreign: victims.key, unknown: UNUSED_KEY },
  ];

  const own = [
    MARK,
    victims.key,
    ...Object.values(prefixed),
    ...Object.values(documents),
    victims.gone,
    members.key,
    members.changed,
    members.gone,
  ];
  const rows = (): Promise<string[]> => rowsWith(db.pool, own);
  const before = new Set(await rows());
  return {
    viewer,
    ids,
    keyUsers: [victims, members],
    leaksIn: (text, sent) => own.filter((mark) => text.replaceAll(sent, '').includes(mark)),
    async changes(other) {
      const after = await rows();
      return {
        came: after.filter((row) => !before.has(row) && !row.includes(other)),
        went: [...before].filter((row) => !after.includes(row)),
      };
    },
  };
}

/** Changes one post and deletes another under one key. */
async function usesKey(
  { records, v1 }: Attacked,
  { by, key, account }: Pick<KeyUser, 'by' | 'key'> & { account: Account },
): Promise<KeyUser & { jobId: string }> {
  const aPost = (text: string) => records.aPost({ by, account, cell: 'published_posted', text });
  const [{ id: changed }, { id: gone }] = [
    await aPost(`${MARK} published`),
    await aPost(`${MARK} going`),
  ];
  const [text, headers] = [`${MARK} changed`, { 'Idempotency-Key': key }];
  const update = await v1('PUT', `/posts/${changed}`, {
    as: by,
    headers,
    body: { post: { text } },
  });
  const removal = await v1('DELETE', `/posts?post_ids[]=${gone}`, { as: by, headers });
  expect([update.status, removal.status]).toEqual([200, 200]);
  return { by, key, changed, text, gone, jobId: update.headers.get('x-job-id')! };
}

/** A cursor of the same list to the same place, but for what is the victim's. */
function twinOf(cursor: string): string {
  const [order, at, id] = JSON.parse(
    Buffer.from(cursor, 'base64url')
      .toString()
      .replace(/^[^[]*/, ''),
  ) as [string, string, string | number];
  return writeCursor(order, {
    at: at.replace(MARK, 'Nobody'),
    id: typeof id === 'number' ? UNKNOWN_NUMBER : id.slice(0, 4) + UNKNOWN_PART,
  });
}
