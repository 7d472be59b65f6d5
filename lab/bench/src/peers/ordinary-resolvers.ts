import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { PrismaClient } from '../generated/client/client.js';
import { writeCursor } from './cursors.js';
import type { ListArguments } from './list-sql.js';
import type { Loaders } from './ordinary-loaders.js';
import {
  Account,
  CreatePostsInput,
  CreatePostsPayload,
  DeletePostsInput,
  DeletePostsPayload,
  Label,
  Link,
  Media,
  Post,
  PostConnection,
  PostFilter,
  PostState,
  UpdatePostInput,
  UpdatePostPayload,
  User,
  type PostRow,
} from './ordinary-types.js';
import {
  afterWhere,
  createPosts,
  LIST_ORDER,
  listWhere,
  oneWhere,
  removePosts,
  updateText,
} from './prisma-posts.js';
import { STATES } from './states.js';

export interface OrdinaryContext {
  readonly prisma: PrismaClient;
  readonly workspace: string;
  readonly loaders: Loaders;
}

/** A page of posts, with the filter for `totalCount`. */
interface PostPage {
  readonly nodes: object[];
  readonly filter: ListArguments;
}

/** A row with the fields that Post resolves by name. */
const toPost = (row: PostRow): object => ({ ...row, id: row.docId, row });
const rowOf = (post: Post): PostRow => (post as unknown as { row: PostRow }).row;

@Resolver(() => PostConnection)
export class PostConnectionResolver {
  @Query(() => PostConnection)
  async posts(
    @Arg('filter', () => PostFilter, { nullable: true }) filter: PostFilter | null,
    @Arg('first', () => Int, { nullable: true, defaultValue: 20 }) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() { prisma, workspace }: OrdinaryContext,
  ) {
    const rows = await prisma.post.findMany({
      where: { ...(await listWhere(prisma, workspace, filter ?? {})), ...afterWhere(after) },
      orderBy: LIST_ORDER,
      take: first + 1,
      include: { body: true },
    });
    const page = rows.slice(0, first);
    const last = page.at(-1);
    const endCursor = last ? writeCursor({ at: last.scheduledAt, id: Number(last.id) }) : null;
    return {
      nodes: page.map(toPost),
      pageInfo: { hasNextPage: rows.length > first, endCursor },
      filter: filter ?? {},
    };
  }

  @FieldResolver(() => Int)
  async totalCount(
    @Root() { filter }: PostPage,
    @Ctx() { prisma, workspace }: OrdinaryContext,
  ): Promise<number> {
    return prisma.post.count({ where: await listWhere(prisma, workspace, filter) });
  }
}

@Resolver(() => Post)
export class PostResolver {
  @Query(() => Post, { nullable: true })
  async post(@Arg('id', () => ID) id: string, @Ctx() { prisma, workspace }: OrdinaryContext) {
    const row = await prisma.post.findFirst({
      where: oneWhere(workspace, id),
      include: { body: true },
    });
    return row && toPost(row);
  }

  @FieldResolver(() => PostState)
  state(@Root() post: Post): string {
    return STATES[rowOf(post).storedState]!;
  }

  @FieldResolver(() => String)
  text(@Root() post: Post): string {
    return rowOf(post).body?.text ?? '';
  }

  @FieldResolver(() => String, { nullable: true })
  title(@Root() post: Post): string | null {
    return rowOf(post).body?.title ?? null;
  }

  @FieldResolver(() => [String])
  tags(@Root() post: Post): string[] {
    return rowOf(post).body?.tags ?? [];
  }

  @FieldResolver(() => Link, { nullable: true })
  link(@Root() post: Post): Link | null {
    const body = rowOf(post).body;
    const link = body?.link as Record<string, string> | null | undefined;
    return body?.url
      ? {
          url: body.url,
          title: link?.title ?? null,
          description: link?.description ?? null,
          imageUrl: link?.defaultImage ?? null,
        }
      : null;
  }

  @FieldResolver(() => Account, { nullable: true })
  account(@Root() post: Post, @Ctx() { loaders }: OrdinaryContext): Promise<Account> | null {
    const { accountId } = rowOf(post);
    return accountId === null ? null : loaders.account.load(accountId);
  }

  @FieldResolver(() => User)
  user(@Root() post: Post, @Ctx() { loaders }: OrdinaryContext): Promise<User> {
    return loaders.user.load(rowOf(post).creatorId);
  }

  @FieldResolver(() => [Label])
  labels(@Root() post: Post, @Ctx() { loaders }: OrdinaryContext): Promise<Label[]> {
    return loaders.labels.load(rowOf(post).id);
  }

  @FieldResolver(() => [Media])
  media(@Root() post: Post, @Ctx() { loaders }: OrdinaryContext): Promise<Media[]> {
    return loaders.media.load(rowOf(post).id);
  }
}

@Resolver()
export class MutationResolver {
  @Mutation(() => UpdatePostPayload)
  async updatePost(
    @Arg('input', () => UpdatePostInput) { id, expectedVersion = 0, post }: UpdatePostInput,
    @Ctx() { prisma, workspace }: OrdinaryContext,
  ) {
    const row = await updateText(prisma, workspace, { id, text: post.text ?? '', expectedVersion });
    return row
      ? { post: toPost(row), userErrors: [] }
      : { post: null, userErrors: [{ code: 'CONFLICT' }] };
  }

  @Mutation(() => CreatePostsPayload)
  async createPosts(
    @Arg('input', () => CreatePostsInput) { targets, post }: CreatePostsInput,
    @Ctx() { prisma, workspace }: OrdinaryContext,
  ) {
    const posts = await createPosts(prisma, workspace, { text: post.text ?? '', targets });
    return { posts, userErrors: [] };
  }

  @Mutation(() => DeletePostsPayload)
  async deletePosts(
    @Arg('input', () => DeletePostsInput) { ids }: DeletePostsInput,
    @Ctx() { prisma, workspace }: OrdinaryContext,
  ) {
    return { deletedIds: await removePosts(prisma, workspace, ids), userErrors: [] };
  }
}
