import { queryFromInfo } from '@pothos/plugin-prisma';
import type { Prisma } from '../generated/client/client.js';
import { writeCursor } from './cursors.js';
import type { ListArguments } from './list-sql.js';
import { afterWhere, LIST_ORDER, listWhere, oneWhere } from './prisma-posts.js';
import { builder, PostStateFilter, prisma } from './yoga-builder.js';
import { Post } from './yoga-post.js';

const PageInfo = builder
  .objectRef<{ hasNextPage: boolean; endCursor: string | null }>('PageInfo')
  .implement({
    fields: (t) => ({
      hasNextPage: t.exposeBoolean('hasNextPage'),
      endCursor: t.exposeString('endCursor', { nullable: true }),
    }),
  });
type Row = Prisma.PostGetPayload<{ select: { id: true; scheduledAt: true } }>;
interface PostPage {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  filter: ListArguments;
}
const PostConnection = builder.objectRef<PostPage>('PostConnection').implement({
  fields: (t) => ({
    nodes: t.field({ type: [Post], resolve: ({ nodes }) => nodes as never }),
    pageInfo: t.field({ type: PageInfo, resolve: ({ pageInfo }) => pageInfo }),
    totalCount: t.int({
      resolve: async ({ filter }, _args, { workspace }) =>
        prisma.post.count({ where: await listWhere(prisma, workspace, filter) }),
    }),
  }),
});
const PostFilter = builder.inputType('PostFilter', {
  fields: (t) => ({ states: t.field({ type: [PostStateFilter] }), query: t.string() }),
});

builder.queryType({
  fields: (t) => ({
    posts: t.field({
      type: PostConnection,
      args: {
        filter: t.arg({ type: PostFilter }),
        first: t.arg.int({ defaultValue: 20 }),
        after: t.arg.string(),
      },
      resolve: async (_root, { filter, first, after }, context, info) => {
        const listArguments = (filter ?? {}) as ListArguments;
        const query = queryFromInfo({
          context,
          info,
          typeName: 'Post',
          path: ['nodes'],
          select: { id: true, scheduledAt: true },
        });
        const size = first ?? 20;
        const rows = await prisma.post.findMany({
          ...query,
          where: {
            ...(await listWhere(prisma, context.workspace, listArguments)),
            ...afterWhere(after),
          },
          orderBy: LIST_ORDER,
          take: size + 1,
        });
        const nodes = rows.slice(0, size) as Row[];
        const last = nodes.at(-1);
        return {
          nodes,
          filter: listArguments,
          pageInfo: {
            hasNextPage: rows.length > size,
            endCursor: last ? writeCursor({ at: last.scheduledAt, id: Number(last.id) }) : null,
          },
        };
      },
    }),
    post: t.prismaField({
      type: 'Post',
      nullable: true,
      args: { id: t.arg.id({ required: true }) },
      resolve: (query, _root, { id }, { workspace }) =>
        prisma.post.findFirst({ ...query, where: oneWhere(workspace, id) }),
    }),
  }),
});
