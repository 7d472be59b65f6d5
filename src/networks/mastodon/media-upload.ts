import { setTimeout as sleep } from 'node:timers/promises';
import type { Media } from '../../domain/posts/post-content.js';
import { throwRequestError } from '../http-client/network-request-error.js';
import { textAt } from '../http-client/json-path.js';
import type { MastodonApi } from './mastodon-api.js';

/** Pauses between the questions whether an instance has processed a file: 15 seconds together. */
const PROCESSING_PAUSES_MS = [500, 1_000, 1_500, 3_000, 4_000, 5_000];

/** Uploads media, and waits until the instance has processed them. Returns their IDs, in order. */
export async function uploadMedia(api: MastodonApi, media: readonly Media[]): Promise<string[]> {
  const ids: string[] = [];
  for (const item of media) ids.push(await uploadFile(api, item));
  return ids;
}

async function uploadFile(api: MastodonApi, media: Media): Promise<string> {
  const { type, bytes } = await api.client.readMedia(media);
  const body = new FormData();
  // some servers tell the type by the extension
  body.set('file', new Blob([bytes], { type }), `media.${type.split('/')[1] ?? 'bin'}`);
  if (media.altText !== null) body.set('description', media.altText);
  const uploaded = await api.requestV2('POST', '/media', { body });
  const id = textAt(uploaded, 'id') ?? api.client.throwMissing('media ID');
  return waitUntilProcessed(api, id, uploaded);
}

/** A file has an address as soon as it has been processed. */
async function waitUntilProcessed(
  api: MastodonApi,
  id: string,
  uploaded: unknown,
): Promise<string> {
  let state = uploaded;
  for (const pauseMs of PROCESSING_PAUSES_MS) {
    if (textAt(state, 'url') !== null) return id;
    await sleep(pauseMs);
    state = await api.request('GET', `/media/${encodeURIComponent(id)}`);
  }
  return textAt(state, 'url') !== null
    ? id
    : throwRequestError('NETWORK_UNAVAILABLE', 'Mastodon is still processing a media item.');
}
