import { instagram } from '../../domain/networks/instagram.js';
import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { PostNumbers } from '../../domain/numbers/numbers.js';
import type { Attachment } from '../../domain/posts/post-content.js';
import type { Post } from '../../domain/posts/post.js';
import type { ConnectedAccount, NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter, readEach } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { numberAt, textAt, valueAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import { throwRequestError, type NetworkResponse } from '../http-client/network-response.js';
import {
  containerPublisher,
  type ContainerNetwork,
  type ContainerStatus,
} from '../meta/container-publisher.js';
import {
  graphError,
  graphErrors,
  openGraphApi,
  type GraphApi,
  type GraphParams,
} from '../meta/graph-api.js';
import { INSIGHTS_ERRORS, INSIGHTS_PACE, insightsOf, isGone } from '../meta/insights.js';

type InstagramCredentials = Readonly<Record<keyof typeof instagram.adapter.credentials, string>>;

/** The hosts of the API, by where the token is from. */
const HOSTS = {
  instagram: 'https://graph.instagram.com',
  facebook: 'https://graph.facebook.com',
} as const;
type Login = keyof typeof HOSTS;

interface InstagramApi extends GraphApi {
  readonly login: Login;
}

/** @throws NetworkRequestError NETWORK_NOT_CONNECTED if `login` is neither */
function openInstagram(
  client: NetworkClient,
  { accessToken, login }: InstagramCredentials,
  version: string,
): InstagramApi {
  const known = login === '' ? 'instagram' : login.toLowerCase();
  if (known !== 'instagram' && known !== 'facebook')
    throwRequestError('NETWORK_NOT_CONNECTED', 'login must be instagram or facebook.');
  return { ...openGraphApi(client, `${HOSTS[known]}/${version}`, accessToken), login: known };
}

const CONTAINER_FIELDS = 'id,status_code,status';
const isContainer = ({ method, url }: NetworkResponse): boolean =>
  method === 'GET' && url.searchParams.get('fields') === CONTAINER_FIELDS;

/**
 * Failures by subcode, in responses and in containers. After those that are unavailable, the post
 * is looked for: a container that is not ready or has gone, and 2207051, which was also the answer
 * to publications that were live.
 */
const FAILURES: Readonly<Record<number, NetworkFailureCode>> = {
  2_207_001: 'NETWORK_UNAVAILABLE',
  2_207_003: 'NETWORK_UNAVAILABLE',
  2_207_006: 'NETWORK_UNAVAILABLE',
  2_207_008: 'NETWORK_UNAVAILABLE',
  2_207_020: 'NETWORK_UNAVAILABLE',
  2_207_027: 'NETWORK_UNAVAILABLE',
  2_207_032: 'NETWORK_UNAVAILABLE',
  2_207_042: 'NETWORK_RATE_LIMITED',
  2_207_050: 'NETWORK_FORBIDDEN',
  2_207_051: 'NETWORK_UNAVAILABLE',
  2_207_052: 'NETWORK_UNAVAILABLE',
  2_207_053: 'NETWORK_UNAVAILABLE',
  2_207_077: 'NETWORK_UNAVAILABLE',
  2_207_082: 'NETWORK_UNAVAILABLE',
};
const NOT_FOUND_CODES = [24, 100];

function failureCode(response: NetworkResponse): NetworkFailureCode | 'ok' | null {
  const error = graphError(response.json);
  if (error === null) return null;
  const { code, subcode } = error;
  if (NOT_FOUND_CODES.includes(code) && isContainer(response)) return 'ok';
  if (NOT_FOUND_CODES.includes(code) && response.method === 'DELETE') return 'NETWORK_POST_DELETED';
  return subcode === null ? null : (FAILURES[subcode] ?? null);
}

const tagsOf = ({ type, userTags }: Attachment): GraphParams =>
  userTags.length === 0
    ? {}
    : {
        user_tags: JSON.stringify(
          userTags.map(({ name, x, y }) => ({
            username: name,
            ...(type === 'photo' && { x, y }),
          })),
        ),
      };

const toPicture = (media: Attachment): GraphParams => ({
  image_url: media.url,
  ...(media.altText !== null && { alt_text: media.altText }),
  ...tagsOf(media),
});

function toReel(media: Attachment, { details }: Post): GraphParams {
  return {
    media_type: 'REELS',
    video_url: media.url,
    ...(media.defaultThumbnail && { cover_url: media.defaultThumbnail }),
    ...(details?.feed != null && { share_to_feed: String(details.feed) }),
    ...(details?.audio && { audio_name: details.audio }),
    ...tagsOf(media),
  };
}

const captionOf = ({ type, text }: Post): string => (type === 'story' ? '' : text);

function collaboratorsOf({ media }: Post): GraphParams {
  const names = media.flatMap(({ collaboratorTags }) =>
    collaboratorTags.flatMap(({ name }) => (name ? [name] : [])),
  );
  return names.length > 0 ? { collaborators: JSON.stringify(names) } : {};
}

function toContainer(post: Post, items: readonly string[]): GraphParams {
  const file = post.media[0]!;
  if (post.type === 'story')
    return {
      media_type: 'STORIES',
      ...(file.type === 'video' ? { video_url: file.url } : { image_url: file.url }),
    };
  const content =
    post.type === 'carousel'
      ? { media_type: 'CAROUSEL', children: items.join() }
      : file.type === 'video'
        ? toReel(file, post)
        : toPicture(file);
  return { ...content, ...(post.text !== '' && { caption: post.text }), ...collaboratorsOf(post) };
}

const LIST_FIELDS = 'id,caption,timestamp,permalink,media_type,media_product_type';

const containersOf = (
  version: string,
): ContainerNetwork<keyof InstagramCredentials, InstagramApi> => ({
  open: (client, credentials) => openInstagram(client, credentials, version),
  edges: { create: 'media', publish: 'media_publish' },
  containerFields: CONTAINER_FIELDS,
  statusOf: (container) => textAt(container, 'status_code') as ContainerStatus | null,
  errorOf(container) {
    const reason = textAt(container, 'status') ?? 'unknown error';
    const subcode = Number(/\b22\d{5}\b/.exec(reason)?.[0]);
    return { code: FAILURES[subcode] ?? 'NETWORK_REFUSED', reason: reason.replace(/\.$/, '') };
  },
  toContainer,
  toItem: (media) => ({
    ...(media.type === 'video'
      ? { media_type: 'VIDEO', video_url: media.url, ...tagsOf(media) }
      : toPicture(media)),
    is_carousel_item: 'true',
  }),
  listOf: ({ type }) => ({ edge: type === 'story' ? 'stories' : 'media', fields: LIST_FIELDS }),
  textOfEntry({ login }, entry, { type }) {
    if (type === 'story') return null;
    // With Instagram's own login, the caption can be missing.
    return textAt(entry, 'caption') ?? (login === 'instagram' ? null : '');
  },
  textOf: captionOf,
  isSameKind(entry, { type, media }) {
    const kind = media[0]?.type === 'video' ? 'VIDEO' : 'IMAGE';
    return textAt(entry, 'media_type') === (type === 'carousel' ? 'CAROUSEL_ALBUM' : kind);
  },
  async remove({ login, delete: remove }, remoteId) {
    if (login === 'instagram')
      throwRequestError(
        'NETWORK_REFUSED',
        'Instagram deletes posts only for accounts that are connected through a Facebook page. Delete the post there yourself.',
      );
    await remove(remoteId);
  },
});

/** The account of a token, by where the token is from. */
const FIND_ACCOUNT: Readonly<
  Record<Login, (api: InstagramApi) => Promise<Omit<ConnectedAccount, 'kind'>>>
> = {
  async instagram({ get, client }) {
    const me = await get('me', { fields: 'user_id,username,account_type,profile_picture_url' });
    const socialId = textAt(me, 'user_id') ?? client.throwMissing('user ID');
    return {
      socialId,
      name: `@${textAt(me, 'username') ?? socialId}`,
      type: textAt(me, 'account_type') === 'BUSINESS' ? 'business' : 'profile',
      picture: textAt(me, 'profile_picture_url'),
    };
  },
  async facebook({ get }) {
    const page = await get('me', {
      fields: 'instagram_business_account{id,username,profile_picture_url}',
    });
    const account = valueAt(page, 'instagram_business_account');
    const socialId =
      textAt(account, 'id') ??
      throwRequestError(
        'NETWORK_FORBIDDEN',
        'The Facebook page of the token has no professional Instagram account.',
      );
    return {
      socialId,
      name: `@${textAt(account, 'username') ?? socialId}`,
      type: 'business',
      picture: textAt(account, 'profile_picture_url'),
    };
  },
};

const COUNTED_FIELDS = 'id,media_type,media_product_type,like_count,comments_count';

/** Null if Instagram no longer has the post. Few viewers, or a missing permission: no insights. */
async function readNumbers(api: InstagramApi, id: string): Promise<PostNumbers | null> {
  const media = await api.get(id, { fields: COUNTED_FIELDS });
  if (isGone(media)) return null;
  const isStory = textAt(media, 'media_product_type') === 'STORY';
  // A metric that this kind of post does not have fails the whole call.
  const metrics = ['reach', 'shares', 'views', ...(isStory ? [] : ['saved'])];
  const insights = insightsOf(await api.getOptional(`${id}/insights`, { metric: metrics.join() }));
  const count = (metric: string): number | null => insights.get(metric) ?? null;
  return {
    reach: count('reach'),
    likes: numberAt(media, 'like_count'),
    comments: numberAt(media, 'comments_count'),
    shares: count('shares'),
    saves: count('saved'),
    videoViews: textAt(media, 'media_type') === 'VIDEO' ? count('views') : null,
  };
}

interface InstagramOptions {
  /** Version of the Graph API, such as `v25.0`. */
  readonly version: string;
}

/** Instagram: POST /{user}/media creates a container, POST /{user}/media_publish publishes it. */
export const createInstagram = (http: HttpClient, { version }: InstagramOptions): NetworkAdapter =>
  createAdapter(http, instagram, {
    errors: graphErrors(failureCode),
    note: `Uses version ${version} of the Graph API (FACEBOOK_VERSION).`,
    check(client, credentials) {
      const api = openInstagram(client, credentials, version);
      return FIND_ACCOUNT[api.login](api);
    },
    publisher: containerPublisher(containersOf(version)),
    numbers: {
      ...INSIGHTS_PACE,
      errors: INSIGHTS_ERRORS,
      read(client, credentials, ids) {
        const api = openInstagram(client, credentials, version);
        return readEach(ids, (id) => readNumbers(api, id));
      },
    },
  });
