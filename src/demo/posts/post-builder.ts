import { BLANK_POST } from '../../domain/posts/post.js';
import { type Account, type Post } from '../../domain/posts/post.js';
import type { Network } from '../../domain/networks/networks.js';
import { isPublished, type StoredState } from '../../domain/posts/states.js';
import type { PostType } from '../../domain/enums.js';
import type { DemoContext } from '../demo-context.js';
import type { DemoUserKey } from '../demo-users.js';
import { contentOf } from './post-content.js';
import type { DemoWorkspace } from '../demo-workspace.js';
import { byLabelName, type Label } from '../../domain/posts/post-content.js';

/** Specification of a demo post. The builder sets the other fields. */
export interface PostSpec extends Partial<
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
  storedState: StoredState;
  type: PostType;
  /** Null for a draft without an account. */
  network: Network | null;
  creator: DemoUserKey;
  scheduledAt: Date | null;
  account?: Account;
  /** Post whose content to copy: the children of a series have the content of the series. */
  copyContentOf?: Post;
}

/** Addresses of posts, as the networks have them. */
const POST_LINKS: Partial<Record<Network, (id: string, account: Account) => string>> = {
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
const DAY_MS = 86_400_000;

/**
 * Creates posts of a workspace in sequence: the n-th post of a type has the n-th text of that type,
 * counted over all calls of the returned function.
 */
export function createPostBuilder(
  demoWorkspace: DemoWorkspace,
  { dates: { now }, ids, databaseIds }: DemoContext,
): (spec: PostSpec) => Post {
  const countByType = new Map<PostType, number>();
  let postNumber = 0;
  return ({
    storedState,
    type,
    network,
    creator,
    scheduledAt,
    copyContentOf,
    account = demoWorkspace.accounts.find((candidate) => candidate.network === network) ?? null,
    ...overrides
  }) => {
    const typeNumber = countByType.get(type) ?? 0;
    countByType.set(type, typeNumber + 1);
    postNumber++;
    const isLive = isPublished(storedState);
    const createdAt = new Date(
      Math.min(now.getTime(), (scheduledAt ?? now).getTime()) - (1 + (postNumber % 9)) * DAY_MS,
    );
    const content = copyContentOf
      ? contentFieldsOf(copyContentOf)
      : contentOf(type, network, { typeNumber, postNumber }, demoWorkspace.media);
    const media = content.media ?? [];
    return {
      ...BLANK_POST,
      ...content,
      ...overrides,
      type,
      storedState,
      media,
      createdAt,
      id: ids.document(),
      databaseId: databaseIds.next().value as number,
      workspaceId: demoWorkspace.workspace.id,
      network: account?.network ?? null,
      account,
      accountId: account?.id ?? null,
      creatorId: demoWorkspace.users[creator].id,
      user: demoWorkspace.users[creator],
      scheduledAt,
      updatedAt: isLive && scheduledAt ? scheduledAt : createdAt,
      hasMedia: media.length > 0,
      postLink:
        isLive && account
          ? (POST_LINKS[account.network]?.(String(FIRST_SOCIAL_ID + postNumber * 7_919), account) ??
            null)
          : null,
      labels: overrides.labels ?? pickLabels(demoWorkspace.labels, postNumber),
      details:
        content.details || overrides.details ? { ...content.details, ...overrides.details } : null,
    };
  };
}

/**
 * Picks no label for every third post, else up to three. `k` shifts by one after each pass over the
 * labels, so that every label is used.
 */
function pickLabels(labels: readonly Label[], n: number): Label[] {
  const k = n + Math.floor(n / labels.length);
  const positions =
    n % 3 === 0
      ? []
      : [k, k * 5 + 1, k * 7 + 3].slice(0, n % 4).map((position) => position % labels.length);
  return labels.filter((_, i) => positions.includes(i)).sort(byLabelName);
}

const contentFieldsOf = ({
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
