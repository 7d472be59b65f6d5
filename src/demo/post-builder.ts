import { blankPost } from '../domain/posts/blank-post.js';
import { byLabelName, type Account, type Label, type Post } from '../domain/posts/post.js';
import type { Network } from '../domain/networks/networks.js';
import { isPublished, type Cell } from '../domain/posts/states.js';
import type { PostType } from '../domain/vocabulary.js';
import type { Ids } from '../services/ports.js';
import type { Calendar } from './calendar.js';
import type { Part } from './cast.js';
import { contentOf } from './post-content.js';
import type { Scene } from './scene.js';

/** What sets one post of the demo apart; the rest follows from it. */
export interface Brief extends Partial<
  Pick<
    Post,
    | 'text'
    | 'queuedAt'
    | 'parentId'
    | 'recycling'
    | 'recurring'
    | 'details'
    | 'reminder'
    | 'auto'
    | 'origin'
    | 'analytics'
    | 'labels'
    | 'hasQueuedChild'
  >
> {
  cell: Cell;
  type: PostType;
  /** Null for a draft without an account. */
  network: Network | null;
  creator: Part;
  at: Date | null;
  account?: Account;
  /** The post whose words these are: children of a series say what the series says. */
  like?: Post;
}

const LINKS: Record<Network, (id: string, account: Account) => string> = {
  facebook: (id, { socialId }) => `https://www.facebook.com/${socialId}/posts/${id}`,
  instagram: (id) => `https://www.instagram.com/p/${id}/`,
  threads: (id) => `https://www.threads.net/@nordlicht.kaffee/post/${id}`,
  tiktok: (id) => `https://www.tiktok.com/@nordlichtkaffee/video/${id}`,
  twitter: (id) => `https://twitter.com/NordlichtKaffee/status/${id}`,
  mastodon: (id, { name }) => `https://kaffee.social/@${name.split('@')[1]}/${id}`,
  bluesky: (id) => `https://bsky.app/profile/nordlicht.example/post/${id}`,
  linkedin: (id) => `https://www.linkedin.com/feed/update/urn:li:share:${id}`,
  pinterest: (id) => `https://www.pinterest.com/pin/${id}/`,
  google: (id) => `https://local.google.com/place?id=7725&lpsid=${id}`,
  youtube: (id) => `https://www.youtube.com/watch?v=${id}`,
  wordpress: (id, { socialId }) => `${socialId}/${id}/`,
  telegram: (id) => `https://t.me/nordlichtnews/${id}`,
};
const FIRST_SOCIAL_ID = 113_204_400_000;
const DAY = 86_400_000;

/** Makes posts of a scene one after the other; the n-th post of a type has the n-th text of that type. */
export function createPostBuilder(
  scene: Scene,
  { now }: Calendar,
  ids: Ids,
  databaseIds: Iterator<number>,
): (brief: Brief) => Post {
  const made = new Map<PostType, number>();
  let total = 0;
  return ({
    cell,
    type,
    network,
    creator,
    at,
    like,
    account = scene.accounts.find((one) => one.network === network) ?? null,
    ...given
  }) => {
    const n = made.get(type) ?? 0;
    made.set(type, n + 1);
    total++;
    const shown = isPublished(cell);
    const createdAt = new Date(
      Math.min(now.getTime(), (at ?? now).getTime()) - (1 + (total % 9)) * DAY,
    );
    const content = like
      ? ownWords(like)
      : contentOf(type, network, { n, turn: total }, scene.media);
    const media = content.media ?? [];
    return {
      ...blankPost(),
      ...content,
      ...given,
      type,
      cell,
      media,
      createdAt,
      id: ids.document(),
      databaseId: databaseIds.next().value as number,
      workspaceId: scene.workspace.id,
      network: account?.network ?? null,
      account,
      accountId: account?.id ?? null,
      creatorId: scene.users[creator].id,
      user: scene.users[creator],
      scheduledAt: at,
      updatedAt: shown && at ? at : createdAt,
      hasMedia: media.length > 0,
      postLink:
        shown && account
          ? LINKS[account.network](String(FIRST_SOCIAL_ID + total * 7_919), account)
          : null,
      labels: given.labels ?? labelsFor(scene.labels, total),
      details: content.details || given.details ? { ...content.details, ...given.details } : null,
    };
  };
}

/** None on every third post, else up to three; `k` shifts by one each round, so that every label has its turn. */
function labelsFor(labels: readonly Label[], n: number): Label[] {
  const k = n + Math.floor(n / labels.length);
  const places =
    n % 3 === 0
      ? []
      : [k, k * 5 + 1, k * 7 + 3].slice(0, n % 4).map((place) => place % labels.length);
  return labels.filter((_, i) => places.includes(i)).sort(byLabelName);
}

const ownWords = ({
  text,
  title,
  excerpt,
  media,
  link,
  url,
  details,
  content,
  featuredMedia,
  tags,
  categories,
}: Post) => ({
  text,
  title,
  excerpt,
  media,
  link,
  url,
  details,
  content,
  featuredMedia,
  tags,
  categories,
});
