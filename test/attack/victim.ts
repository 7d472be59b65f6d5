import { writeCursor } from '../../src/graphql/cursor.js';
import { everyRow } from '../fixtures/every-row.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { Attacked } from './attacked.js';

/** What every text of the victim's has in it; nobody else has it in theirs. */
export const MARK = 'Quince';

/** A kind of id: one of the victim's, and its twin that nobody has. */
export interface ForeignId { readonly kind: string; readonly foreign: string; readonly unknown: string }

export interface Victim {
  readonly viewer: KeyedViewer;
  /** A post that was changed under the idempotency key. */
  readonly published: string;
  /** One of each kind. */
  readonly ids: readonly ForeignId[];
  /** What of a text is the victim's, beside what was sent. */
  leaksIn(text: string, sent: string): readonly string[];
  /** Rows that came and went since the victim was made, but for those of this other workspace. */
  changes(workspaceId: string): Promise<{ came: readonly string[]; went: readonly string[] }>;
}

const UNKNOWN_DOCUMENT = 'fedcba9876543210fedcba98';
/** So long that no other number looks like them. */
const FOREIGN_NUMBER = 1_888_888_888;
const UNKNOWN_NUMBER = 1_999_999_999;
const UNKNOWN_PART = '0000000000000000';

/** A workspace with something of everything that has an id, and this member. */
export async function aVictim({ records, graphql, v1, db, guard }: Attacked, member: Pick<KeyedViewer, 'user'>): Promise<Victim> {
  guard(MARK);
  const viewer = await records.aViewer({ name: `${MARK} Vera` });
  const { workspace: { id: workspaceId }, user } = viewer;
  await records.aViewer({ workspaceId, role: 'admin', userId: member.user.id });
  const account = await records.anAccount({ workspaceId, name: `${MARK} account`, network: 'facebook', type: 'page', sandbox: true });
  const label = await records.aLabel({ workspaceId, name: `${MARK} label` });
  const media = await records.aMedia({ workspaceId, altText: `${MARK} picture`, title: `${MARK} title` });
  const scheduled = await records.aPost({ by: viewer, account, text: `${MARK} scheduled`, title: `${MARK} title`, databaseId: FOREIGN_NUMBER, labels: [label], media: [media] });
  const published = await records.aPost({ by: viewer, account, cell: 'published_posted', text: `${MARK} published` });
  await records.aPost({ by: viewer, cell: 'draft_private_undated', text: `${MARK} draft` });
  const key = 'vera-idempotency';
  const changed = await v1('PUT', `/posts/${published.id}`, { as: viewer, headers: { 'Idempotency-Key': key }, body: { post: { text: `${MARK} changed` } } });
  const notification = await db.prisma.notification.create({
    data: { id: records.ids.prefixed('ntf'), userId: user.id, workspaceId, kind: 'approval_needed', message: `${MARK} message`, postId: scheduled.databaseId },
  });
  const { body: { data: { viewer: { key: { id: keyId }, notifications }, ...lists } } } = await graphql(`{
    posts(first: 1) { pageInfo { endCursor } } labels(first: 1) { pageInfo { endCursor } } media(first: 1) { pageInfo { endCursor } }
    viewer { key { id } notifications(first: 1) { pageInfo { endCursor } } }
  }`, {}, { as: viewer });

  const prefixed: Record<string, string> = {
    account: account.id, label: label.id, media: media.id, user: user.id, workspace: workspaceId, job: changed.headers.get('x-job-id')!, notification: notification.id, key: keyId,
  };
  const cursors = Object.entries<{ pageInfo: { endCursor: string } }>({ ...lists, notifications });
  const ids: ForeignId[] = [
    { kind: 'post', foreign: scheduled.id, unknown: UNKNOWN_DOCUMENT },
    { kind: 'relational post', foreign: String(scheduled.databaseId), unknown: String(UNKNOWN_NUMBER) },
    ...Object.entries(prefixed).map(([kind, foreign]) => ({ kind, foreign, unknown: foreign.slice(0, 4) + UNKNOWN_PART })),
    ...cursors.map(([list, { pageInfo: { endCursor } }]) => ({ kind: `cursor of ${list}`, foreign: endCursor, unknown: twinOf(endCursor) })),
    { kind: 'idempotency key', foreign: key, unknown: 'zora-idempotency' },
  ];

  const own = [MARK, key, ...Object.values(prefixed), scheduled.id, published.id];
  const rows = async (): Promise<string[]> =>
    Object.entries(await everyRow(db.pool)).flatMap(([table, all]) => all.map((row) => `${table} ${row}`)).filter((row) => own.some((mark) => row.includes(mark)));
  const before = new Set(await rows());
  return {
    viewer, ids, published: published.id,
    leaksIn: (text, sent) => own.filter((mark) => text.replaceAll(sent, '').includes(mark)),
    async changes(other) {
      const after = await rows();
      return { came: after.filter((row) => !before.has(row) && !row.includes(other)), went: [...before].filter((row) => !after.includes(row)) };
    },
  };
}

/** A cursor of the same list to the same place, but for what is the victim's. */
function twinOf(cursor: string): string {
  const [order, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString().replace(/^[^[]*/, '')) as [string, string, string | number];
  return writeCursor(order, { at: at.replace(MARK, 'Nobody'), id: typeof id === 'number' ? UNKNOWN_NUMBER : id.slice(0, 4) + UNKNOWN_PART });
}
