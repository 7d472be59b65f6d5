import express from 'express';
import type { Prisma } from '../generated/client/client.js';
import { HOST, PORT, workspaceOf } from './environment.js';
import { createPrisma, LIST_ORDER, listWhere, oneWhere } from './prisma-posts.js';
import { SHOWN } from './states.js';

/** List and detail of v1 on Express and Prisma, with only the selected columns. */
const prisma = createPrisma();
const PER_PAGE = 10;

const NAMED = { select: { id: true, name: true, picture: true } } as const;
const SUMMARY = {
  docId: true,
  storedState: true,
  type: true,
  network: true,
  accountId: true,
  scheduledAt: true,
  postLink: true,
  hasMedia: true,
  creator: NAMED,
  body: { select: { text: true, url: true } },
} as const satisfies Prisma.PostSelect;
const DETAIL = {
  ...SUMMARY,
  createdAt: true,
  updatedAt: true,
  auto: true,
  body: { select: { text: true, url: true, link: true } },
  account: { select: { id: true, type: true, name: true, picture: true } },
  labels: {
    select: { label: { select: { id: true, name: true, color: true } } },
    orderBy: { label: { name: 'asc' } },
  },
  media: {
    select: { altText: true, media: { select: { id: true, type: true, url: true } } },
    orderBy: { position: 'asc' },
  },
} as const satisfies Prisma.PostSelect;

const timestamp = (date: Date | null): string | null =>
  date && `${date.toISOString().slice(0, 19)}+00:00`;

const summary = (post: Prisma.PostGetPayload<{ select: typeof SUMMARY }>) => ({
  id: post.docId,
  text: post.body?.text ?? '',
  state: SHOWN[post.storedState],
  type: post.type,
  account_id: post.accountId,
  user: post.creator,
  scheduled_at: timestamp(post.scheduledAt),
  post_link: post.postLink,
});

function detail(post: Prisma.PostGetPayload<{ select: typeof DETAIL }>) {
  const { url = null, link } = post.body ?? {};
  const page = link as Record<string, string> | null | undefined;
  return {
    ...summary(post),
    account: post.account,
    created_at: timestamp(post.createdAt),
    updated_at: timestamp(post.updatedAt),
    auto: post.auto,
    media: post.media.map(({ media, altText }) => ({ ...media, alt_text: altText })),
    link: url && {
      url,
      title: page?.title ?? null,
      description: page?.description ?? null,
      image_url: page?.defaultImage ?? null,
    },
    labels: post.labels.map(({ label }) => label),
    recycling: null,
    recurring: null,
  };
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');

app.get('/v1/posts', async (request, response) => {
  const page = Number(request.query.page ?? 0);
  const where = await listWhere(prisma, workspaceOf(request.headers), {});
  const [posts, total] = await Promise.all([
    prisma.post.findMany({
      where,
      orderBy: LIST_ORDER,
      skip: page * PER_PAGE,
      take: PER_PAGE,
      select: SUMMARY,
    }),
    prisma.post.count({ where }),
  ]);
  const shown = posts.map((post) => ({
    ...summary(post),
    url: post.type === 'link' ? (post.body?.url ?? null) : null,
    has_media: post.hasMedia,
    network: post.network,
  }));
  response.json({
    posts: shown,
    total,
    page,
    per_page: PER_PAGE,
    total_pages: Math.ceil(total / PER_PAGE),
  });
});

app.get('/v1/posts/:id', async (request, response) => {
  const post = await prisma.post.findFirst({
    where: oneWhere(workspaceOf(request.headers), request.params.id),
    select: DETAIL,
  });
  if (post) response.json(detail(post));
  else response.status(422).end();
});

app.listen(PORT, HOST);
