import type { Account, Post } from '../../../src/domain/posts/post.js';
import type { EditablePath } from '../../../src/domain/networks/network-definition.js';
import { createSandboxNetwork } from '../../../src/networks/sandbox.js';
import { createSandboxStore } from '../../../src/persistence/networks/sandbox-store.js';
import { createSandboxDeliveryStore } from '../../../src/persistence/publishing/sandbox-deliveries.js';
import type { EditResult } from '../../../src/services/networks/network-ports.js';
import { gatewayWith, type TestGateway, type TestResponse } from '../../fixtures/gateway.js';
import type { KeyedViewer, PostOptions } from '../../fixtures/records.js';

export type SandboxResponse = TestResponse<any>;

export const NO_FAULTS = {
  fail: null,
  delay_ms: null,
  rate_limit_seconds: null,
  token_expired: false,
  publish: null,
  remove: null,
  guarantee: 'exact',
  list_lag_seconds: 0,
};

/** A gateway with a sandbox account and a clock that tests can move. */
export interface SandboxGateway {
  readonly gateway: TestGateway;
  readonly clock: { time: Date; now(): Date };
  /** The sandbox account of the owner's workspace. */
  readonly account: Account;
  /** Sends a request to /sandbox, as the owner by default. */
  send(method: string, path: string, body?: unknown, as?: KeyedViewer): Promise<SandboxResponse>;
  published(options?: Partial<PostOptions>): Promise<Post>;
  /** Does the work of a worker: sends these fields of the post to its network. */
  edit(post: Post, ...changed: EditablePath[]): Promise<EditResult>;
  readRemoteText(post: Post): Promise<string>;
}

export async function openSandboxGateway(): Promise<SandboxGateway> {
  const clock = { time: new Date('2026-11-21T08:00:00Z'), now: () => clock.time };
  const gateway = await gatewayWith({ clock });
  const { records, owner } = gateway;
  const account = await records.anAccount({ workspaceId: owner.workspace.id, sandbox: true });
  const send: SandboxGateway['send'] = (method, path, body, as = owner) =>
    gateway.request(`/sandbox${path}`, {
      method,
      caller: { as },
      ...(body !== undefined && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  return {
    gateway,
    clock,
    account,
    send,
    published: (options = {}) =>
      records.aPost({ by: owner, storedState: 'published_posted', account, ...options }),
    edit: (post, ...changed) =>
      createSandboxNetwork({
        store: createSandboxStore(gateway.db),
        deliveries: createSandboxDeliveryStore(gateway.db),
        clock,
      }).edit({
        account,
        credentials: {},
        remoteId: post.id,
        post,
        changed: new Set(changed),
      }),
    readRemoteText: async (post) => (await send('GET', `/${post.id}`)).body.text,
  };
}

/** Expects an error response with this status and code. */
export const expectSandboxError = (
  { status, body }: SandboxResponse,
  expected: number,
  code: string,
): void => expect({ status, code: body.code }).toEqual({ status: expected, code });
