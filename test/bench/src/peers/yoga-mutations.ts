import { queryFromInfo } from '@pothos/plugin-prisma';
import { removePosts, updateText } from './prisma-posts.js';
import { builder, prisma } from './yoga-builder.js';
import { Post } from './yoga-post.js';

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
