import { builder, Network, PostState, PostType } from './yoga-builder.js';
import { STATES } from './states.js';

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

/**
 * Each field selects the columns and relations that it reads: a query reads only what was
 * requested, in one go.
 */
export const Post = builder.prismaObject('Post', {
  select: { id: true },
  fields: (t) => ({
    id: t.exposeID('docId'),
    version: t.exposeInt('version'),
    state: t.field({
      type: PostState,
      select: { storedState: true },
      resolve: ({ storedState }) => STATES[storedState]!,
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
