import type { Account } from '../../src/domain/posts/post.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { AuditedGateway } from './audited-gateway.js';

/** Part of every text in the foreign workspace, and of no other text. */
export const MARK = 'Quince';
/** Database ID of a foreign post. Long enough that no other number in a response contains it. */
const FOREIGN_DATABASE_ID = 1_888_888_888;

/** An idempotency key with which a user updated the text of one post and deleted another. */
export interface KeyUse {
  readonly by: KeyedViewer;
  readonly key: string;
  readonly updatedId: string;
  readonly text: string;
  readonly deletedId: string;
}

/** Records of every kind that has an id. */
export type ForeignRecords = Awaited<ReturnType<typeof createForeignRecords>>;

/** Creates a workspace with a record of every kind, and adds a member. */
export async function createForeignRecords(
  gateway: AuditedGateway,
  { user }: Pick<KeyedViewer, 'user'>,
) {
  const { records, graphql } = gateway;
  const owner = await records.aViewer({ name: `${MARK} Vera` });
  const workspaceId = owner.workspace.id;
  const member = await records.aViewer({ workspaceId, role: 'admin', userId: user.id });
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
  const posts = await createPosts(gateway, { by: owner, account, label, media });
  const keyUse = await useKey(gateway, { by: owner, key: 'vera-idempotency', account });
  const memberKeyUse = await useKey(gateway, { by: member, key: 'mona-idempotency', account });
  const notificationId = await createNotification(gateway, owner, posts.scheduled);
  const webhook = await createTestedWebhook(gateway, owner);
  const connecting = await createConnection(gateway, owner);
  const { body } = await graphql('{ viewer { key { id } } }', {}, { as: owner });
  return {
    owner,
    accountId: account.id,
    labelId: label.id,
    mediaId: media.id,
    ...posts,
    keyUse,
    memberKeyUse,
    notificationId,
    ...webhook,
    ...connecting,
    keyId: body.data.viewer.key.id as string,
  };
}

type Records = AuditedGateway['records'];
type Created<Name extends 'aLabel' | 'aMedia'> = Awaited<ReturnType<Records[Name]>>;

/** A webhook with a delivery. */
async function createTestedWebhook({ v1 }: AuditedGateway, as: KeyedViewer) {
  const { body: webhook } = await v1('POST', '/webhooks', {
    as,
    body: { url: `https://example.com/${MARK}`, types: ['post.created'] },
  });
  const { body: delivery } = await v1('POST', `/webhooks/${webhook.id}/test`, { as });
  return { webhookId: webhook.id as string, deliveryId: delivery.id as string };
}

/** A connection that waits for a choice of its person, and a link to connect accounts with. */
async function createConnection({ records, db, v1 }: AuditedGateway, as: KeyedViewer) {
  const { id: connectionId } = await db.prisma.pendingConnection.create({
    data: {
      id: records.ids.prefixed('con'),
      workspaceId: as.workspace.id,
      userId: as.user.id,
      api: 'graphql',
      network: 'linkedin',
      way: 'pages',
      redirectUri: `https://${MARK}.example/connect/callback`,
      stateHash: Buffer.from(MARK),
      status: 'choose',
      choices: [{ id: '1', name: `${MARK} page`, kind: 'page', picture: null, accountId: null }],
      expiresAt: new Date('2040-01-01T00:00:00Z'),
    },
  });
  const { body } = await v1('POST', '/connect-links', { as, body: {} });
  return { connectionId, linkId: body.link.id as string };
}

async function createPosts(
  { records }: AuditedGateway,
  {
    by,
    account,
    label,
    media,
  }: { by: KeyedViewer; account: Account; label: Created<'aLabel'>; media: Created<'aMedia'> },
) {
  const scheduled = await records.aPost({
    by,
    account,
    text: `${MARK} scheduled`,
    title: `${MARK} title`,
    databaseId: FOREIGN_DATABASE_ID,
    labels: [label],
    media: [media],
  });
  const draft = await records.aPost({
    by,
    storedState: 'draft_private_undated',
    text: `${MARK} draft`,
  });
  const series = await records.aPost({
    by,
    account,
    storedState: 'recurring',
    text: `${MARK} series`,
    recurring: { repeat: 'daily', startDate: '2030-06-10T08:00:00Z' },
  });
  const child = await records.aPost({
    by,
    account,
    parentId: series.databaseId,
    databaseId: FOREIGN_DATABASE_ID + 1,
    text: `${MARK} child`,
  });
  return { scheduled, draft, series, child };
}

/** Updates one post and deletes another with the same idempotency key. */
async function useKey(
  { records, v1 }: AuditedGateway,
  { by, key, account }: Pick<KeyUse, 'by' | 'key'> & { account: Account },
): Promise<KeyUse & { jobId: string }> {
  const aPost = (text: string) =>
    records.aPost({ by, account, storedState: 'published_posted', text });
  const { id: updatedId } = await aPost(`${MARK} published`);
  const { id: deletedId } = await aPost(`${MARK} going`);
  const text = `${MARK} changed`;
  const headers = { 'Idempotency-Key': key };
  const body = { post: { text } };
  const update = await v1('PUT', `/posts/${updatedId}`, { as: by, headers, body });
  const deletion = await v1('DELETE', `/posts?post_ids[]=${deletedId}`, { as: by, headers });
  expect([update.status, deletion.status]).toEqual([200, 200]);
  return { by, key, updatedId, text, deletedId, jobId: update.headers.get('x-job-id')! };
}

/** @returns the id */
async function createNotification(
  { records, db }: AuditedGateway,
  { user, workspace }: KeyedViewer,
  post: { databaseId: number },
): Promise<string> {
  const { id } = await db.prisma.notification.create({
    data: {
      id: records.ids.prefixed('ntf'),
      userId: user.id,
      workspaceId: workspace.id,
      kind: 'approval_needed',
      message: `${MARK} message`,
      postId: post.databaseId,
    },
  });
  return id;
}
