import { queryFromInfo } from '@pothos/plugin-prisma';
import { createPosts, removePosts, updateText } from './prisma-posts.js';
import { builder, PostType, prisma, ShareMode } from './yoga-builder.js';
import { Post } from './yoga-post.js';

const UserError = builder.objectRef<{ code: string }>('UserError').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    message: t.string({ nullable: true, resolve: () => null }),
  }),
});
const PostPatch = builder.inputType('PostPatch', {
  fields: (t) => ({ type: t.field({ type: PostType }), text: t.string() }),
});
const PostTargetInput = builder.inputType('PostTargetInput', {
  fields: (t) => ({
    accountId: t.id({ required: true }),
    scheduledAt: t.field({ type: 'DateTime', required: true }),
  }),
});
const CreatePostsInput = builder.inputType('CreatePostsInput', {
  fields: (t) => ({
    targets: t.field({ type: [PostTargetInput], required: true }),
    post: t.field({ type: PostPatch, required: true }),
    mode: t.field({ type: ShareMode, required: true }),
  }),
});
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
const CreatePostsPayload = builder.objectRef<{ posts: object[] }>('CreatePostsPayload').implement({
  fields: (t) => ({
    posts: t.field({ type: [Post], resolve: ({ posts }) => posts as never }),
    userErrors: t.field({ type: [UserError], resolve: () => [] }),
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
    createPosts: t.field({
      type: CreatePostsPayload,
      args: { input: t.arg({ type: CreatePostsInput, required: true }) },
      resolve: async (_root, { input: { targets, post } }, context, info) => {
        // Without it, Pothos reads each of the posts again.
        queryFromInfo({ context, info, typeName: 'Post', path: ['posts'] });
        const creation = { text: post.text ?? '', targets };
        return { posts: await createPosts(prisma, context.workspace, creation) };
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
