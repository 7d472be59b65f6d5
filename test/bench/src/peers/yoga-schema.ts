import SchemaBuilder from '@pothos/core';
import PrismaPlugin, { queryFromInfo } from '@pothos/plugin-prisma';
import type { Prisma } from '../generated/client/client.js';
import type PrismaTypes from '../generated/pothos.js';
import { getDatamodel } from '../generated/pothos.js';
import { writeCursor } from './cursors.js';
import type { ListArguments } from './list-sql.js';
import {
  afterWhere,
  createPrisma,
  LIST_ORDER,
  listWhere,
  oneWhere,
  removePosts,
  updateText,
} from './prisma-posts.js';
import { STATES } from './states.js';

const prisma = createPrisma();
const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  Context: { workspace: string };
  Scalars: { DateTime: { Input: Date; Output: Date }; ID: { Input: string; Output: string } };
}>({ plugins: [PrismaPlugin], prisma: { client: prisma, dmmf: getDatamodel() } });

builder.scalarType('DateTime', {
  serialize: (value) => value.toISOString(),
  parseValue: (value) => new Date(String(value)),
});
const words = (name: string, list: readonly string[]) =>
  builder.enumType<string, readonly string[]>(name, { values: list });
/** Words are stored in lower case and shown in upper case. */
const stored = (name: string, list: readonly string[]) =>
  builder.enumType<string, Record<string, { value: string }>>(name, {
    values: Object.fromEntries(list.map((word) => [word.toUpperCase(), { value: word }])) as never,
  });
const PostState = words('PostState', [...new Set(Object.values(STATES))]);
const PostStateFilter = words('PostStateFilter', ['SCHEDULED', 'RECYCLING']);
const PostType = stored('PostType', [
  'status',
  'link',
  'photo',
  'gif',
  'video',
  'reel',
  'story',
  'short',
  'poll',
  'document',
  'carousel',
  'article',
]);
const Network = stored('Network', [
  'facebook',
  'instagram',
  'threads',
  'tiktok',
  'twitter',
  'mastodon',
  'bluesky',
  'linkedin',
  'pinterest',
  'google',
  'youtube',
  'wordpress',
  'telegram',
]);

builder.prismaObject('Account', {
  fields: (t) => ({
    id: t.exposeID('id'),
    type: t.exposeString('type'),
    name: t.exposeString('name'),
    picture: t.exposeString('picture', { nullable: true }),
  }),
});
builder.prismaObject('User', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    picture: t.exposeString('picture', { nullable: true }),
  }),
});
const Label = builder.prismaObject('Label', {
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color'),
  }),
});
builder.prismaObject('PostMedia', {
  name: 'Media',
  select: { media: { select: { id: true, type: true, url: true } } },
  fields: (t) => ({
    id: t.id({ resolve: ({ media }) => media.id }),
    type: t.string({ resolve: ({ media }) => media.type }),
    url: t.string({ resolve: ({ media }) => media.url }),
    altText: t.exposeString('altText', { nullable: true }),
  }),
});

interface LinkShape {
  url: string;
  title: string | null;
  description: string | null;
  imageUrl: string | null;
}
const Link = builder.objectRef<LinkShape>('Link').implement({
  fields: (t) => ({
    url: t.exposeString('url'),
    title: t.exposeString('title', { nullable: true }),
    description: t.exposeString('description', { nullable: true }),
    imageUrl: t.exposeString('imageUrl', { nullable: true }),
  }),
});

/** Each field names the columns and relations it reads: a query reads what was selected, in one go. */
const Post = builder.prismaObject('Post', {
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('docId'),
    version: t.exposeInt('version'),
    state: t.field({
      type: PostState,
      select: { cell: true },
      resolve: ({ cell }) => STATES[cell]!,
    }),
    type: t.field({ type: PostType, select: { type: true }, resolve: ({ type }) => type }),
    network: t.field({
      type: Network,
      nullable: true,
      select: { network: true },
      resolve: ({ network }) => network,
    }),
    text: t.string({
      select: { body: { select: { text: true } } },
      resolve: ({ body }) => body?.text ?? '',
    }),
    title: t.string({
      nullable: true,
      select: { body: { select: { title: true } } },
      resolve: ({ body }) => body?.title ?? null,
    }),
    tags: t.stringList({
      select: { body: { select: { tags: true } } },
      resolve: ({ body }) => body?.tags ?? [],
    }),
    link: t.field({
      type: Link,
      nullable: true,
      select: { body: { select: { url: true, link: true } } },
      resolve: ({ body }) => {
        const link = body?.link as Record<string, string> | null | undefined;
        return body?.url
          ? {
              url: body.url,
              title: link?.title ?? null,
              description: link?.description ?? null,
              imageUrl: link?.defaultImage ?? null,
            }
          : null;
      },
    }),
    scheduledAt: t.expose('scheduledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    postLink: t.exposeString('postLink', { nullable: true }),
    hasMedia: t.exposeBoolean('hasMedia'),
    auto: t.exposeBoolean('auto'),
    account: t.relation('account', { nullable: true }),
    user: t.relation('creator'),
    labels: t.field({
      type: [Label],
      select: (_args, _context, nestedSelection) =>
        ({
          labels: { select: { label: nestedSelection() }, orderBy: { label: { name: 'asc' } } },
        }) as const,
      resolve: ({ labels }) => labels.map(({ label }) => label) as never,
    }),
    media: t.relation('media', { query: { orderBy: { position: 'asc' } } }),
  }),
});

const PageInfo = builder
  .objectRef<{ hasNextPage: boolean; endCursor: string | null }>('PageInfo')
  .implement({
    fields: (t) => ({
      hasNextPage: t.exposeBoolean('hasNextPage'),
      endCursor: t.exposeString('endCursor', { nullable: true }),
    }),
  });
type Row = Prisma.PostGetPayload<{ select: { id: true; scheduledAt: true } }>;
interface Listed {
  nodes: Row[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  filter: ListArguments;
}
const PostConnection = builder.objectRef<Listed>('PostConnection').implement({
  fields: (t) => ({
    nodes: t.field({ type: [Post], resolve: ({ nodes }) => nodes as never }),
    pageInfo: t.field({ type: PageInfo, resolve: ({ pageInfo }) => pageInfo }),
    totalCount: t.int({
      resolve: ({ filter }, _args, { workspace }) =>
        prisma.post.count({ where: listWhere(workspace, filter) }),
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
        const wanted = (filter ?? {}) as ListArguments;
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
          where: { ...listWhere(context.workspace, wanted), ...afterWhere(after) },
          orderBy: LIST_ORDER,
          take: size + 1,
        });
        const nodes = rows.slice(0, size) as Row[];
        const last = nodes.at(-1);
        return {
          nodes,
          filter: wanted,
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

const UserError = builder.objectRef<{ code: string }>('UserError').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    message: t.string({ nullable: true, resolve: () => null }),
  }),
});
const PostPatch = builder.inputType('PostPatch', { fields: (t) => ({ text: t.string() }) });
const UpdatePostInput = builder.inputType('UpdatePostInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    post: t.field({ type: PostPatch, required: true }),
    expectedVersion: t.int(),
  }),
});
const DeletePostsInput = builder.inputType('DeletePostsInput', {
  fields: (t) => ({ ids: t.idList({ required: true }) }),
});
const UpdatePostPayload = builder
  .objectRef<{ post: object | null; userErrors: { code: string }[] }>('UpdatePostPayload')
  .implement({
    fields: (t) => ({
      post: t.field({ type: Post, nullable: true, resolve: ({ post }) => post as never }),
      userErrors: t.field({ type: [UserError], resolve: ({ userErrors }) => userErrors }),
    }),
  });
const DeletePostsPayload = builder
  .objectRef<{ deletedIds: string[] }>('DeletePostsPayload')
  .implement({
    fields: (t) => ({
      deletedIds: t.idList({ resolve: ({ deletedIds }) => deletedIds }),
      userErrors: t.field({ type: [UserError], resolve: () => [] }),
    }),
  });

builder.mutationType({
  fields: (t) => ({
    updatePost: t.field({
      type: UpdatePostPayload,
      args: { input: t.arg({ type: UpdatePostInput, required: true }) },
      resolve: async (_root, { input: { id, post, expectedVersion } }, context, info) => {
        const shown = queryFromInfo({ context, info, typeName: 'Post', path: ['post'] });
        const row = await updateText(
          prisma,
          context.workspace,
          { id, text: post.text ?? '', expectedVersion: expectedVersion ?? 0 },
          shown,
        );
        return row
          ? { post: row, userErrors: [] }
          : { post: null, userErrors: [{ code: 'CONFLICT' }] };
      },
    }),
    deletePosts: t.field({
      type: DeletePostsPayload,
      args: { input: t.arg({ type: DeletePostsInput, required: true }) },
      resolve: async (_root, { input: { ids } }, { workspace }) => ({
        deletedIds: await removePosts(prisma, workspace, ids),
      }),
    }),
  }),
});

export const schema = builder.toSchema();
