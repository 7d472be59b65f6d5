import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import type { PublicationHandle } from '../../domain/networks/network-definition.js';
import type { Account, Post } from '../../domain/posts/post.js';
import type { Attachment } from '../../domain/posts/post-content.js';
import type { LivePost, SentPost } from '../../services/networks/network-ports.js';
import { comparableText } from '../html-text.js';
import { listAt, textAt } from '../http-client/json-path.js';
import type { NetworkClient } from '../http-client/network-client.js';
import { throwRequestError } from '../http-client/network-response.js';
import {
  preparedNow,
  processingPauseMs,
  type PublisherDefinition,
  type StillPreparing,
  wasPreparedBefore,
} from '../publisher.js';
import type { GraphApi, GraphParams } from './graph-api.js';

/** A network that makes posts of containers: Instagram and Threads. */
export interface ContainerNetwork<Field extends string, Api extends GraphApi> {
  open(client: NetworkClient, credentials: Readonly<Record<Field, string>>): Api;
  /** The edges of an account that create and publish containers. */
  readonly edges: { readonly create: string; readonly publish: string };
  /** The fields of a container: its status, and more about an error. */
  readonly containerFields: string;
  statusOf(container: unknown): ContainerStatus | null;
  /** The failure of a container whose status is ERROR. */
  errorOf(container: unknown): { readonly code: NetworkFailureCode; readonly reason: string };
  /** The container of a post; `items`: IDs of the containers of a carousel's files. */
  toContainer(post: Post, items: readonly string[]): GraphParams;
  /** The container of one file of a carousel. */
  toItem(media: Attachment): GraphParams;
  /** How recent posts like this one are listed, newest first. */
  listOf(post: Post): { readonly edge: string; readonly fields: string };
  /** The text of a listed post; null if the network does not return it. */
  textOfEntry(api: Api, entry: unknown, post: Post): string | null;
  /** The text of the post as the network has it. */
  textOf(post: Post): string;
  /** Whether an entry of the list is a post of the same kind. */
  isSameKind(entry: unknown, post: Post): boolean;
  /** @throws NetworkRequestError */
  remove(api: Api, remoteId: string): Promise<unknown>;
}

export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';

/** What of a post is on the network before it is published. */
interface ContainerHandle extends PublicationHandle {
  /** IDs of the containers of a carousel's files, in their order. */
  readonly items: string;
  /** Those that are not finished. */
  readonly processing: string;
  /** ID of the container of the post; empty until it is created. */
  readonly container: string;
}

/** The networks advise one question a minute about a video. A text is ready within seconds. */
const POLL_PAUSE_MS = { min: 2_000, max: 60_000 } as const;
/** A container that could not be published within this time is replaced by a new one. */
const REPLACE_AFTER_MS = 120_000;
/** A published post that is not listed after this time was probably deleted on the network. */
const MAX_LIST_LAG_MS = 3_600_000;
const CLOCK_TOLERANCE_MS = 10_000;
const LISTED_POSTS = 50;

const idsOf = (list: string): string[] => (list === '' ? [] : list.split(','));

const begin = ({ client }: GraphApi): ContainerHandle => ({
  items: '',
  processing: '',
  container: '',
  ...preparedNow(client),
});

const goOn = (handle: ContainerHandle, againInMs: number): StillPreparing => ({
  kind: 'preparing',
  handle,
  againInMs,
});

/**
 * Publishes posts of containers: one is created from the post, the network fetches its files, and
 * one call publishes it. The container tells afterwards whether it was published. Each call of
 * `prepare` makes one request, so that nothing is created twice.
 */
export function containerPublisher<Field extends string, Api extends GraphApi>(
  network: ContainerNetwork<Field, Api>,
): PublisherDefinition<Field, Api> {
  const userPath = ({ socialId }: Account): string => encodeURIComponent(socialId);

  async function create(api: GraphApi, account: Account, params: GraphParams): Promise<string> {
    const created = await api.post(`${userPath(account)}/${network.edges.create}`, params);
    return textAt(created, 'id') ?? api.client.throwMissing('container ID');
  }
  const read = (api: GraphApi, id: string): Promise<unknown> =>
    api.get(encodeURIComponent(id), { fields: network.containerFields });

  /** Asks for one container, and goes on with `next` if it is finished. */
  async function whenFinished(
    api: GraphApi,
    { id, handle }: { readonly id: string; readonly handle: ContainerHandle },
    next: () => ContainerHandle | StillPreparing,
  ): Promise<ContainerHandle | StillPreparing> {
    const container = await read(api, id);
    const status = network.statusOf(container);
    if (status === 'FINISHED' || status === 'PUBLISHED') return next();
    // It was created more than a day ago.
    if (status === 'EXPIRED') return goOn(begin(api), 0);
    if (status === 'ERROR') {
      const { code, reason } = network.errorOf(container);
      const why = `${api.client.networkName} could not process the post: ${reason}.`;
      throwRequestError(code, why);
    }
    // A container without a status is not visible for a moment.
    return goOn(handle, processingPauseMs(api.client, handle, POLL_PAUSE_MS));
  }

  async function toLivePost(api: GraphApi, remoteId: string): Promise<LivePost> {
    const media = await api.getOptional(encodeURIComponent(remoteId), { fields: 'permalink' });
    return { kind: 'live', remoteId, url: textAt(media, 'permalink') };
  }

  /** The post among the recent ones of the account: the first like it since it was sent. */
  async function findPost(
    api: Api,
    { account, post, sentAt }: SentPost,
  ): Promise<LivePost | 'not_listed' | 'cannot_tell'> {
    const { edge, fields } = network.listOf(post);
    const list = await api.get(`${userPath(account)}/${edge}`, {
      fields,
      limit: String(LISTED_POSTS),
    });
    const listed = listAt(list, 'data');
    const since = sentAt.getTime() - CLOCK_TOLERANCE_MS;
    const recent = listed.filter((entry) => Date.parse(textAt(entry, 'timestamp') ?? '') >= since);
    const wanted = comparableText(network.textOf(post));
    const found = recent.findLast((entry) => {
      const text = network.textOfEntry(api, entry, post);
      const isSameText = text === null || comparableText(text) === wanted;
      return isSameText && network.isSameKind(entry, post);
    });
    if (found === undefined) return recent.length < LISTED_POSTS ? 'not_listed' : 'cannot_tell';
    const remoteId = textAt(found, 'id') ?? api.client.throwMissing('post ID');
    return { kind: 'live', remoteId, url: textAt(found, 'permalink') };
  }

  return {
    connect: async (client, credentials) => network.open(client, credentials),
    async prepare(api, { account, post }, started) {
      const handle = (started as ContainerHandle | null) ?? begin(api);
      const items = idsOf(handle.items);
      const file = post.type === 'carousel' ? post.media[items.length] : undefined;
      if (file) {
        const id = await create(api, account, network.toItem(file));
        const processing = [...idsOf(handle.processing), id].join();
        return goOn({ ...handle, items: [...items, id].join(), processing }, 0);
      }
      const [item, ...others] = idsOf(handle.processing);
      if (item !== undefined)
        return whenFinished(api, { id: item, handle }, () =>
          goOn({ ...handle, processing: others.join() }, 0),
        );
      if (handle.container === '') {
        const container = await create(api, account, network.toContainer(post, items));
        return goOn({ ...handle, container }, 0);
      }
      return whenFinished(api, { id: handle.container, handle }, () => handle);
    },
    async publish(api, { account, handle }) {
      const published = await api.post(`${userPath(account)}/${network.edges.publish}`, {
        creation_id: handle.container!,
      });
      const remoteId = textAt(published, 'id') ?? api.client.throwMissing('post ID');
      return toLivePost(api, remoteId);
    },
    async look(api, sent) {
      const { handle, sentAt } = sent;
      const container = wasPreparedBefore(sent) ? await read(api, handle.container!) : null;
      const status = network.statusOf(container);
      const sinceMs = api.client.http.clock.now().getTime() - sentAt.getTime();
      if ((status === 'FINISHED' || status === 'IN_PROGRESS') && sinceMs < REPLACE_AFTER_MS)
        return { kind: 'not_there' };
      // No request leads from a container to its post.
      const found = await findPost(api, sent);
      if (typeof found === 'object') return found;
      if (status === 'PUBLISHED')
        return { kind: sinceMs < MAX_LIST_LAG_MS ? 'processing' : 'cannot_tell' };
      return found === 'cannot_tell'
        ? { kind: 'cannot_tell' }
        : { kind: 'not_there', isCompared: true };
    },
    async remove(api, remoteId) {
      await network.remove(api, remoteId);
    },
  };
}
