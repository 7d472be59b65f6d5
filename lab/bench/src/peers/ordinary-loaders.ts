import DataLoader from 'dataloader';
import type { PrismaClient } from '../generated/client/client.js';

/** Rows of each post, in the order of the posts. */
function byPost<Row extends { postId: bigint }>(
  ids: readonly bigint[],
  rows: readonly Row[],
): Row[][] {
  const grouped = new Map<bigint, Row[]>(ids.map((id) => [id, []]));
  for (const row of rows) grouped.get(row.postId)!.push(row);
  return ids.map((id) => grouped.get(id)!);
}

/** Loaders of one request. */
export function createLoaders(prisma: PrismaClient) {
  return {
    account: new DataLoader(async (ids: readonly string[]) => {
      const rows = new Map(
        (await prisma.account.findMany({ where: { id: { in: [...ids] } } })).map((row) => [
          row.id,
          row,
        ]),
      );
      return ids.map((id) => rows.get(id)!);
    }),
    user: new DataLoader(async (ids: readonly string[]) => {
      const rows = new Map(
        (await prisma.user.findMany({ where: { id: { in: [...ids] } } })).map((row) => [
          row.id,
          row,
        ]),
      );
      return ids.map((id) => rows.get(id)!);
    }),
    labels: new DataLoader(async (ids: readonly bigint[]) => {
      const rows = await prisma.postLabel.findMany({
        where: { postId: { in: [...ids] } },
        include: { label: true },
        orderBy: { label: { name: 'asc' } },
      });
      return byPost(ids, rows).map((some) => some.map((row) => row.label));
    }),
    media: new DataLoader(async (ids: readonly bigint[]) => {
      const rows = await prisma.postMedia.findMany({
        where: { postId: { in: [...ids] } },
        include: { media: true },
        orderBy: { position: 'asc' },
      });
      return byPost(ids, rows).map((some) =>
        some.map(({ media, altText }) => ({ ...media, altText })),
      );
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
