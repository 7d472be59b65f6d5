import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient, type Prisma } from '../generated/client/client.js';
import { searchRowOfText } from '../product.js';
import { readCursor } from './cursors.js';
import { createPool, createStatementNames, VIEWER } from './environment.js';
import { hasWords, wordsOf, type ListArguments } from './list-sql.js';
import { storedStatesOf, PRIVATE, SCHEDULED } from './states.js';
import { newDocumentId, type Creation, type Update } from './write-sql.js';

/** A client with prepared statements, which need names. */
export const createPrisma = (): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg(createPool(), { statementNameGenerator: createStatementNames() }),
  });

export const LIST_ORDER = [
  { sortAt: 'desc' },
  { id: 'desc' },
] satisfies Prisma.PostOrderByWithRelationInput[];

const shared: Prisma.PostWhereInput = {
  OR: [{ storedState: { notIn: PRIVATE } }, { creatorId: VIEWER }],
};

/** The posts with the words of a query: Prisma has no condition for it. */
async function foundIds(
  prisma: PrismaClient,
  workspaceId: string,
  query: string,
): Promise<bigint[]> {
  const rows = await prisma.$queryRawUnsafe<{ id: bigint }[]>(
    `SELECT s.post_id AS id FROM post_search s WHERE ${hasWords('$1')}`,
    wordsOf(workspaceId, query),
  );
  return rows.map(({ id }) => id);
}

/** Condition of the list, without the cursor. */
export async function listWhere(
  prisma: PrismaClient,
  workspaceId: string,
  { states, query }: ListArguments,
): Promise<Prisma.PostWhereInput> {
  const storedStates = storedStatesOf(states);
  return {
    workspaceId,
    deletedAt: null,
    ...(storedStates ? { storedState: { in: storedStates } } : shared),
    ...(query && { id: { in: await foundIds(prisma, workspaceId, query) } }),
  };
}

/** Condition for posts after a cursor; an index scan can start at the outer bound. */
export function afterWhere(after: string | null | undefined): Prisma.PostWhereInput {
  const position = readCursor(after);
  if (!position) return {};
  const { at, id } = position;
  return at === null
    ? { scheduledAt: null, id: { lt: id } }
    : {
        sortAt: { lte: at },
        AND: [{ OR: [{ sortAt: { lt: at } }, { sortAt: at, id: { lt: id } }] }],
      };
}

export const oneWhere = (workspaceId: string, docId: string): Prisma.PostWhereInput => ({
  docId,
  workspaceId,
  deletedAt: null,
  ...shared,
});

const WHOLE = { include: { body: true } } as const;

/**
 * Updates a text with nested writes, in one transaction. @returns the post with the columns of
 * `shown`; null if the version is another one
 */
export async function updateText<
  Shown extends Pick<Prisma.PostFindFirstArgs, 'include' | 'select'> = typeof WHOLE,
>(
  prisma: PrismaClient,
  workspaceId: string,
  { id, text, expectedVersion }: Update,
  shown: Shown = WHOLE as Shown,
): Promise<Prisma.PostGetPayload<Shown> | null> {
  const before = await prisma.post.findFirst({
    where: oneWhere(workspaceId, id),
    select: { version: true, body: { select: { text: true } } },
  });
  if (before?.version !== expectedVersion) return null;
  const { normal, tokens } = searchRowOfText(workspaceId, text);
  const updatedAt = new Date();
  const changes = { text: { from: before.body?.text, to: text } };
  const updated: unknown = await prisma.post
    .update({
      ...shown,
      where: { docId: id, version: expectedVersion },
      data: {
        version: { increment: 1 },
        updatedAt,
        body: { update: { text } },
        search: { update: { normal, tokens: [...tokens] } },
        revisions: {
          create: { version: expectedVersion + 1, userId: VIEWER, at: updatedAt, changes },
        },
      },
    })
    .catch((error: { code?: string }) => {
      if (error.code === 'P2025') return null; // another request was faster
      throw error;
    });
  return updated as Prisma.PostGetPayload<Shown> | null;
}

/**
 * Deletes the posts that may be deleted: hides them, detaches their children and frees their cap
 * slots.
 */
export async function removePosts(
  prisma: PrismaClient,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const posts = await prisma.post.findMany({
    where: {
      docId: { in: [...ids] },
      workspaceId,
      deletedAt: null,
      AND: [shared, { OR: [{ queuedAt: null }, { reminder: true }] }],
    },
    select: { id: true, docId: true },
  });
  const postId = { in: posts.map((post) => post.id) };
  await prisma.$transaction([
    prisma.post.updateMany({ where: { id: postId }, data: { deletedAt: new Date() } }),
    prisma.post.updateMany({
      where: { parentId: postId, deletedAt: null },
      data: { parentId: null },
    }),
    prisma.capSlot.deleteMany({ where: { postId } }),
  ]);
  const deleted = new Set(posts.map((post) => post.docId));
  return ids.filter((id) => deleted.has(id));
}

/** Without them, the columns are null, which the product has not. */
const EMPTY_LISTS = { options: [], tags: [], categories: [], ownFields: [] };

/**
 * Creates one post after another with nested writes, in one transaction, as Prisma's documentation
 * has it. @returns the document IDs
 */
export async function createPosts(
  prisma: PrismaClient,
  workspaceId: string,
  { text, targets }: Creation,
): Promise<{ id: string; docId: string }[]> {
  const { normal, tokens } = searchRowOfText(workspaceId, text);
  const groupId = `grp_${newDocumentId()}`;
  const accounts = await prisma.account.findMany({
    where: { workspaceId, id: { in: targets.map(({ accountId }) => accountId) } },
    select: { id: true, network: true },
  });
  const networkOf = new Map(accounts.map(({ id, network }) => [id, network]));
  const work = async (transaction: Prisma.TransactionClient) => {
    const posts: { id: string; docId: string }[] = [];
    for (const { accountId, scheduledAt: at } of targets) {
      const scheduledAt = new Date(at);
      const { id, docId } = await transaction.post.create({
        data: {
          docId: newDocumentId(),
          workspaceId,
          accountId,
          creatorId: VIEWER,
          storedState: SCHEDULED,
          type: 'status',
          network: networkOf.get(accountId)!,
          scheduledAt,
          groupId,
          body: { create: { text, createdApi: 'graphql', ...EMPTY_LISTS } },
          search: { create: { normal, tokens: [...tokens] } },
          capSlots: { create: { accountId, postKind: 'post', at: scheduledAt } },
        },
        select: { id: true, docId: true },
      });
      await transaction.event.createMany({
        data: ['post.created', 'post.scheduled'].map((type) => ({
          at: new Date(),
          workspaceId,
          userId: VIEWER,
          api: 'graphql',
          type,
          postId: id,
          docId,
          accountId,
          version: 1,
          changed: [],
          stateAfter: SCHEDULED,
        })),
      });
      posts.push({ id: docId, docId });
    }
    return posts;
  };
  // By default, a transaction fails that waits for a connection longer than 2 s under load.
  return prisma.$transaction(work, { maxWait: 20_000, timeout: 20_000 });
}
