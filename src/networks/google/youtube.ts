import type { youtube_v3 } from '@googleapis/youtube';
import type { NetworkAdapter, NetworkEdit } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import { stop } from '../http-client/failure.js';
import type { Line } from '../http-client/network-client.js';
import type { Web } from '../http-client/web.js';
import { googleDialect } from './google-dialect.js';
import {
  accessToken,
  GOOGLE_CREDENTIALS,
  GOOGLE_ROOTS,
  type GoogleKeys,
  type GoogleRoots,
} from './google-oauth.js';

/** The video network: videos.update of the snippet. */
export function createYoutube(web: Web, roots: GoogleRoots = GOOGLE_ROOTS): NetworkAdapter {
  const clientFor = async (line: Line, keys: GoogleKeys): Promise<youtube_v3.Youtube> => {
    const { youtube } = await import('@googleapis/youtube');
    const headers = { Authorization: `Bearer ${await accessToken(line, keys, roots)}` };
    return youtube({
      version: 'v3',
      rootUrl: `${roots.videos}/`,
      headers,
      fetchImplementation: line.fetch,
      retry: false,
    });
  };
  return createAdapter(web, {
    dialect: googleDialect('YouTube'),
    verified: false,
    note: 'Title and description; category, tags and languages stay as they are there.',
    credentials: GOOGLE_CREDENTIALS,
    remoteId: /^[\w-]{6,64}$/,
    async edit(line, { remoteId, post, changed }, keys) {
      const { videos } = await clientFor(line, keys);
      const { data } = await videos.list({ id: [remoteId], part: ['snippet'] });
      if (!Array.isArray(data?.items)) line.unreadable('list of videos');
      const snippet = data.items![0]?.snippet;
      if (!snippet) stop('NETWORK_POST_DELETED', 'YouTube no longer has the post.');
      await videos.update({
        part: ['snippet'],
        requestBody: { id: remoteId, snippet: snippetAfter(snippet, { post, changed }) },
      });
    },
    async check(line, keys) {
      const { data } = await (
        await clientFor(line, keys)
      ).channels.list({ mine: true, part: ['snippet'] });
      const channel = data?.items?.[0];
      if (!channel?.id) stop('NETWORK_REFUSED', 'YouTube says that the user has no channel.');
      return {
        socialId: channel.id,
        name: channel.snippet?.title ?? channel.id,
        type: 'channel',
        picture: channel.snippet?.thumbnails?.default?.url ?? null,
      };
    },
  });
}

/** The parts of a snippet that can be written: left out of an update they would be emptied. */
const KEPT = [
  'title',
  'description',
  'categoryId',
  'tags',
  'defaultLanguage',
  'defaultAudioLanguage',
] as const;

function snippetAfter(
  snippet: youtube_v3.Schema$VideoSnippet,
  { post, changed }: Pick<NetworkEdit, 'post' | 'changed'>,
): youtube_v3.Schema$VideoSnippet {
  const kept = Object.fromEntries(
    KEPT.filter((key) => snippet[key] !== undefined && snippet[key] !== null).map((key) => [
      key,
      snippet[key],
    ]),
  );
  return {
    ...kept,
    ...(changed.has('title') && { title: post.title ?? '' }),
    ...(changed.has('text') && { description: post.text }),
  };
}
