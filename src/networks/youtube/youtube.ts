import type { AppClient } from '../../domain/connections/oauth-rules.js';
import { youtube } from '../../domain/networks/youtube.js';
import type { youtube_v3 } from '@googleapis/youtube';
import type { NetworkAdapter, NetworkEdit } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { throwRequestError } from '../http-client/network-response.js';
import type { NetworkClient } from '../http-client/network-client.js';
import type { HttpClient } from '../http-client/http-client.js';
import { fetchAccessToken, type GoogleCredentials } from '../google/google-api.js';
import { createVideoPublisher } from './video-publisher.js';
import { ROOT_URL, YOUTUBE_ERRORS } from './youtube-api.js';

/** What is wrong with a Google account without a channel. */
export const NO_CHANNEL = 'The user has no YouTube channel.';

/** YouTube: resumable uploads, and videos.update of the snippet. */
export function createYoutube(http: HttpClient, app: AppClient | null): NetworkAdapter {
  const createApi = async (
    client: NetworkClient,
    credentials: GoogleCredentials,
  ): Promise<youtube_v3.Youtube> => {
    const { youtube } = await import('@googleapis/youtube');
    const headers = { Authorization: `Bearer ${await fetchAccessToken(client, credentials, app)}` };
    return youtube({
      version: 'v3',
      rootUrl: ROOT_URL,
      headers,
      fetchImplementation: client.fetch,
      retry: false,
    });
  };
  return createAdapter(http, youtube, {
    errors: YOUTUBE_ERRORS,
    async edit(client, { remoteId, post, changed }, credentials) {
      const { videos } = await createApi(client, credentials);
      const { data } = await videos.list({ id: [remoteId], part: ['snippet'] });
      if (!Array.isArray(data?.items)) client.throwMissing('list of videos');
      const snippet = data.items![0]?.snippet;
      if (!snippet) throwRequestError('NETWORK_POST_DELETED', 'YouTube no longer has the post.');
      await videos.update({
        part: ['snippet'],
        requestBody: { id: remoteId, snippet: toSnippetUpdate(snippet, { post, changed }) },
      });
    },
    async check(client, credentials) {
      const { channels } = await createApi(client, credentials);
      const { data } = await channels.list({ mine: true, part: ['snippet'] });
      const channel = data?.items?.[0];
      if (!channel?.id) throwRequestError('NETWORK_REFUSED', NO_CHANNEL);
      return {
        socialId: channel.id,
        name: channel.snippet?.title ?? channel.id,
        type: 'channel',
        picture: channel.snippet?.thumbnails?.default?.url ?? null,
      };
    },
    publisher: createVideoPublisher(app),
  });
}

/** Writable fields of a snippet. An update clears those that it omits, so all are sent back. */
const WRITABLE_SNIPPET_FIELDS = [
  'title',
  'description',
  'categoryId',
  'tags',
  'defaultLanguage',
  'defaultAudioLanguage',
] as const;

function toSnippetUpdate(
  snippet: youtube_v3.Schema$VideoSnippet,
  { post, changed }: Pick<NetworkEdit, 'post' | 'changed'>,
): youtube_v3.Schema$VideoSnippet {
  const currentFields = Object.fromEntries(
    WRITABLE_SNIPPET_FIELDS.filter(
      (key) => snippet[key] !== undefined && snippet[key] !== null,
    ).map((key) => [key, snippet[key]]),
  );
  return {
    ...currentFields,
    ...(changed.has('title') && { title: post.title ?? '' }),
    ...(changed.has('text') && { description: post.text }),
  };
}
