import type { Check, Schema } from './request-schema.js';
import { exactly, matching, text } from './request-schema.js';
import { standInClock } from './network-case.js';
import type { Reply, Route } from './stand-in.js';

/** A container, with the parameters it was created with. */
interface Container {
  readonly id: string;
  readonly params: Record<string, string>;
  status: 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';
  /** How often it was asked for. */
  asked: number;
}
/** A published post. */
interface PublishedMedia {
  readonly id: string;
  readonly timestamp: string;
  readonly container: string;
  readonly params: Record<string, string>;
}

/** A network of containers. Tests change it to make it fail as the network does. */
export interface ContainerState {
  containers: Container[];
  published: PublishedMedia[];
  /** How often it is asked for a container until that is finished. */
  processingPolls: number;
  /** What becomes of a container then. */
  outcome: Container['status'];
  /** The time on the network; null: that of all stand-ins. */
  now: Date | null;
  /** Posts that the list does not show yet. */
  lagging: number;
  /** The answer to the publication of a container, and whether it is published nevertheless. */
  publishFault: { readonly reply: Reply; readonly takes: boolean } | null;
}
export const aContainerState = (): ContainerState => ({
  containers: [],
  published: [],
  processingPolls: 2,
  outcome: 'FINISHED',
  now: null,
  lagging: 0,
  publishFault: null,
});

export const graphErrorBody = (status: number, message: string): unknown => ({
  error: {
    message,
    type: 'OAuthException',
    code: status === 401 ? 190 : 100_000,
    fbtrace_id: 'A1',
  },
});
const graphError = (code: number, subcode: number): Reply => ({
  status: 400,
  json: { error: { message: 'Object does not exist', code, error_subcode: subcode } },
});

interface ContainerNetwork {
  /** Prefix of all paths, such as `/v1.0`. */
  readonly base: string;
  readonly userId: string;
  readonly headers: Route['headers'];
  readonly edges: { readonly create: string; readonly publish: string; readonly lists: string[] };
  readonly create: Schema;
  readonly containerFields: string;
  readonly listFields: Check;
  /** A container, and a published post, as the API presents them. */
  presentContainer(container: Container): object;
  presentPost(post: PublishedMedia): object;
  addressOf(post: PublishedMedia): string;
}

/** Where a file is, as a path on any stand-in. */
export const FILE = /^http:\/\/127\.0\.0\.1:\d+\/elsewhere\//;

/** The routes that create, ask for, publish, list and delete. */
export function containerRoutes(state: ContainerState, network: ContainerNetwork): Route[] {
  const { base, userId, headers, edges } = network;
  const form = (bytes: Buffer): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(bytes.toString()));
  const onObject = (end = ''): RegExp => new RegExp(`^${base}/(\\d+)${end}$`);
  const onUser = (edge: string): RegExp => new RegExp(`^${base}/${userId}/${edge}$`);
  const publish = (container: Container): PublishedMedia => {
    container.status = 'PUBLISHED';
    const post = {
      id: String(18_000 + state.published.length + 1),
      timestamp: (state.now ?? standInClock.now()).toISOString().replace(/\.\d+Z$/, '+0000'),
      container: container.id,
      params: container.params,
    };
    state.published.unshift(post);
    return post;
  };
  return [
    {
      method: 'POST',
      path: onUser(edges.create),
      headers,
      form: network.create,
      respond({ bytes }) {
        const params = form(bytes);
        const children = params.children?.split(',') ?? [];
        const isUnfinished = (id: string): boolean =>
          state.containers.find((one) => one.id === id)?.status !== 'FINISHED';
        if (children.some(isUnfinished)) return graphError(24, 2_207_006);
        const id = String(17_000 + state.containers.length + 1);
        state.containers.push({ id, params, status: 'IN_PROGRESS', asked: 0 });
        return { status: 200, json: { id } };
      },
    },
    {
      method: 'POST',
      path: onUser(edges.publish),
      headers,
      form: { creation_id: text },
      respond({ bytes }) {
        const id = form(bytes).creation_id;
        const container = state.containers.find((one) => one.id === id);
        if (container?.status !== 'FINISHED') return graphError(24, 4_279_009);
        const fault = state.publishFault;
        if (fault && !fault.takes) return fault.reply;
        const post = publish(container);
        return fault?.reply ?? { status: 200, json: { id: post.id } };
      },
    },
    ...edges.lists.map((edge) => ({
      method: 'GET',
      path: onUser(edge),
      headers,
      query: { fields: network.listFields, limit: exactly('50') },
      respond: () => ({
        status: 200,
        json: { data: state.published.slice(state.lagging).map(network.presentPost) },
      }),
    })),
    {
      method: 'GET',
      path: onObject(),
      headers,
      query: { fields: matching(new RegExp(`^(permalink|${network.containerFields})$`)) },
      respond({ query }, match) {
        if (query.fields === 'permalink') {
          const post = state.published.find(({ id }) => id === match[1]);
          return post
            ? { status: 200, json: { id: post.id, permalink: network.addressOf(post) } }
            : graphError(100, 33);
        }
        const container = state.containers.find(({ id }) => id === match[1]);
        if (!container) return graphError(100, 33);
        container.asked += 1;
        if (container.status === 'IN_PROGRESS' && container.asked >= state.processingPolls)
          container.status = state.outcome;
        return { status: 200, json: network.presentContainer(container) };
      },
    },
    {
      method: 'DELETE',
      path: onObject(),
      headers,
      respond(_request, match) {
        const index = state.published.findIndex(({ id }) => id === match[1]);
        if (index === -1) return graphError(100, 33);
        const [post] = state.published.splice(index, 1);
        state.containers = state.containers.filter(({ id }) => id !== post!.container);
        return { status: 200, json: { success: true } };
      },
    },
  ];
}
