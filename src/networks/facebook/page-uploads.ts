import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { FileStream, PublicationTarget } from '../../services/networks/network-ports.js';
import { listAt, numberAt, textAt } from '../http-client/json-path.js';
import { NetworkRequestError, throwRequestError } from '../http-client/network-response.js';
import { fileBody } from '../http-client/upload-body.js';
import { readUploadUrl } from '../http-client/upload-url.js';
import type { GraphApi } from '../meta/graph-api.js';
import { preparedNow, processingPauseMs, type StillPreparing } from '../publisher.js';

/** The API of a page. */
export interface PageApi extends GraphApi {
  /** Base of all calls. */
  readonly url: string;
  /** Uploads take it in another form than other calls. */
  readonly accessToken: string;
}

/** What Facebook has got of a post before it is published. */
export interface PageHandle extends PublicationHandle {
  /** IDs of the photos, in their order. */
  readonly photos: string;
  /**
   * ID of the video: of a reel or story as soon as its upload is begun, of another video when it is
   * published; empty before, and of other posts.
   */
  readonly video: string;
  /** Where its bytes, or those of the file of a video, are sent; empty before. */
  readonly upload: string;
  /** The uploaded file of a video, or PULLED; empty before. */
  readonly file: string;
}
/** Facebook fetches the file itself. */
const PULLED = 'pulled';

export const idsOf = (list: string): string[] => (list === '' ? [] : list.split(','));

export const begin = ({ client }: GraphApi): PageHandle => ({
  photos: '',
  video: '',
  upload: '',
  file: '',
  ...preparedNow(client),
});

export const goOn = (handle: PageHandle, againInMs = 0): StillPreparing => ({
  kind: 'preparing',
  handle,
  againInMs,
});

export const pagePath = ({ socialId }: Account): string => encodeURIComponent(socialId);

/** Whether the post is a video: stories can be photos. */
export const isVideoPost = ({ media }: Post): boolean => media[0]?.type === 'video';

/** The edge of a page that reels or stories with a video are created with. */
export const videoEdgeOf = ({ type }: Post): string =>
  type === 'reel' ? 'video_reels' : 'video_stories';

export const VIDEO_FIELDS = 'id,permalink_url,status';

/** A video; null if Facebook does not have it any more. */
export async function readVideo({ get }: GraphApi, id: string): Promise<unknown> {
  try {
    return await get(encodeURIComponent(id), { fields: VIDEO_FIELDS });
  } catch (error) {
    const isGone =
      error instanceof NetworkRequestError && error.failure.code === 'NETWORK_POST_DELETED';
    if (isGone) return null;
    throw error;
  }
}

/** How far Facebook is with a video. */
export interface VideoPhases {
  /** `ready`, `processing`, `error`, `expired`, `upload_failed` and others; empty if unknown. */
  readonly state: string;
  readonly uploading: string;
  /** Bytes that have arrived. */
  readonly bytes: number;
  readonly processing: string;
  readonly publishing: string;
  /** What Facebook says about an error; empty if nothing. */
  readonly reason: string;
}

/** The phases of a video that was read with VIDEO_FIELDS. */
export function phasesOf(video: unknown): VideoPhases {
  const of = (phase: string): string => textAt(video, 'status', phase, 'status') ?? '';
  const bytes = (name: string): number | null => numberAt(video, 'status', 'uploading_phase', name);
  const errors = ['uploading_phase', 'processing_phase', 'publishing_phase'].flatMap((phase) =>
    listAt(video, 'status', phase, 'errors'),
  );
  return {
    state: textAt(video, 'status', 'video_status') ?? '',
    uploading: of('uploading_phase'),
    // The guide and the reference spell it differently.
    bytes: bytes('bytes_transferred') ?? bytes('bytes_transfered') ?? 0,
    processing: of('processing_phase'),
    publishing: of('publishing_phase'),
    reason: textAt(errors[0], 'message') ?? '',
  };
}

/** The part of a file from an offset on. */
const restOf = ({ type, size, open }: FileStream, offset: number): FileStream => ({
  type,
  size: size - offset,
  open: () => open({ first: offset, last: size - 1 }),
});

const UPLOAD_HOST = /^rupload\.facebook\.com$/;

/** Begins, goes on with or ends the upload of a reel or story, which is not public. */
export async function sendVideo(
  api: PageApi,
  { account, post }: PublicationTarget,
  handle: PageHandle,
): Promise<PageHandle | StillPreparing> {
  const { client } = api;
  if (handle.video === '') {
    const started = await api.post(`${pagePath(account)}/${videoEdgeOf(post)}`, {
      upload_phase: 'start',
    });
    return goOn({
      ...handle,
      video: textAt(started, 'video_id') ?? client.throwMissing('video ID'),
      upload: readUploadUrl(client, textAt(started, 'upload_url'), UPLOAD_HOST).href,
    });
  }
  const video = await readVideo(api, handle.video);
  const { state, uploading, bytes, reason } = phasesOf(video);
  if (video === null || state === 'expired' || state === 'upload_failed') return goOn(begin(api));
  if (state === 'error')
    throwRequestError(
      'NETWORK_REFUSED',
      `Facebook could not process the video${reason && `: ${reason}`}.`,
    );
  if (uploading === 'complete') return handle;
  const file = await client.openStoredMedia(post.media[0]!);
  if (handle.file === PULLED || (file !== null && bytes >= file.size))
    return goOn(handle, processingPauseMs(client, handle));
  const headers = { Authorization: `OAuth ${api.accessToken}` };
  if (file === null) {
    await client.request('POST', handle.upload, {
      headers: { ...headers, file_url: post.media[0]!.url },
    });
    return goOn({ ...handle, file: PULLED });
  }
  await client.request('POST', handle.upload, {
    headers: { ...headers, offset: String(bytes), file_size: String(file.size) },
    body: fileBody(restOf(file, bytes)),
  });
  return goOn(handle);
}

/** Uploads the file of a video; one on another server is fetched by Facebook when it is published. */
export async function sendFile(
  api: PageApi,
  { media }: Post,
  handle: PageHandle,
): Promise<PageHandle | StillPreparing> {
  const { client } = api;
  const file = handle.file === '' ? await client.openStoredMedia(media[0]!) : null;
  if (file === null) return handle;
  if (handle.upload === '') {
    const session = await api.post('app/uploads', {
      file_length: String(file.size),
      file_type: file.type,
    });
    const upload = textAt(session, 'id');
    return upload?.startsWith('upload:')
      ? goOn({ ...handle, upload })
      : client.throwMissing('upload ID');
  }
  const address = `${api.url}/${handle.upload}`;
  const headers = { Authorization: `OAuth ${api.accessToken}` };
  const offset = numberAt(await client.request('GET', address, { headers }), 'file_offset') ?? 0;
  const sent = await client.request('POST', address, {
    headers: { ...headers, file_offset: String(offset) },
    body: fileBody(restOf(file, offset)),
  });
  return { ...handle, file: textAt(sent, 'h') ?? client.throwMissing('handle of the file') };
}
