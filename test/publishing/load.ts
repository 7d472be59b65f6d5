import { setTimeout as sleep } from 'node:timers/promises';
import {
  SANDBOX_PUBLISH_FAULTS,
  type SandboxPublishFault,
} from '../../src/domain/networks/sandbox.js';
import type { GatewayClient } from '../faults/gateway-client.js';
import type { Random } from '../faults/random.js';
import { createActionSender, type ActionSender } from './action-sender.js';
import { APIS, type LoadAccount, type PostRecord } from './post-record.js';
import {
  createRequest,
  deleteRequest,
  editRequest,
  faultRequest,
  moveRequest,
  reviewRequest,
  type PostFaults,
} from './requests.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Seconds by which the sandbox clock is ahead: a post scheduled as early as possible is soon due. */
export const CLOCK_AHEAD_SECONDS = 60;
/** When posts become due, in milliseconds from their creation. */
const DUE_MS = [1_500, 5_000] as const;
const MAX_PAUSE_MS = 40;
/** Duration of calls: long enough that many are in progress when a process is killed. */
const CALL_MS = [1, 400] as const;
/** One in so many faults hangs: such a call lasts for half a minute. */
const HANGS = 0.02;

const allFaults = Object.keys(SANDBOX_PUBLISH_FAULTS) as SandboxPublishFault[];
const HANGING = allFaults.filter((fault) => fault.startsWith('hang'));
const OTHERS = allFaults.filter((fault) => !fault.startsWith('hang'));

/** What the clients of a round share. */
export interface Load {
  readonly round: number;
  readonly accounts: readonly LoadAccount[];
  /** Requests of the owner, who approves, and of a member whose posts need approval. */
  readonly owner: GatewayClient;
  readonly member: GatewayClient;
  readonly records: PostRecord[];
  readonly violations: string[];
  isOver(): boolean;
}

export const inWholeSeconds = (time: number): string =>
  `${new Date(Math.ceil(time / 1000) * 1000).toISOString().slice(0, 19)}Z`;

let keys = 0;
/** A key that no other request or post has. */
export const newKey = (): string => `key ${++keys}`;

/** One client: creates up to `maxPosts` posts and changes them while they become due. */
export async function runLoadClient(load: Load, random: Random, maxPosts: number): Promise<void> {
  const { round, accounts, owner, member, records, violations, isOver } = load;
  const { fraction, oneOf, between } = random;
  const { send }: ActionSender = createActionSender({ random, violations });
  const own: PostRecord[] = [];

  function randomFaults(): PostFaults {
    const delay = fraction() < 0.6 ? { delay_ms: Math.round(between(CALL_MS)) } : {};
    if (fraction() < 0.4) return delay;
    const fault = fraction() < HANGS ? oneOf(HANGING) : oneOf(OTHERS);
    return { ...delay, publish: { fault, times: fraction() < 0.8 ? 1 : 2 } };
  }

  async function create(): Promise<void> {
    const needsApproval = fraction() < 0.2;
    const record: PostRecord = {
      id: null,
      version: 1,
      round,
      account: oneOf(accounts),
      needsApproval,
      actions: [],
    };
    own.push(record);
    records.push(record);
    const isShared = !needsApproval && fraction() < 0.15;
    const dueAt = Date.now() + CLOCK_AHEAD_SECONDS * 1000 + between(DUE_MS);
    const text = `round ${round}, post ${records.length}`;
    const scheduledAt = isShared ? null : inWholeSeconds(dueAt);
    const client = needsApproval ? member : owner;
    await send(
      client,
      record,
      createRequest(oneOf(APIS), record, { text, scheduledAt, key: newKey() }),
    );
    const faults = randomFaults();
    if (record.id && Object.keys(faults).length > 0)
      await send(owner, record, faultRequest(record, faults));
  }

  const isCreated = ({ id }: PostRecord): boolean => id !== null;
  /** Changes one of the latest posts, which are about to become due. */
  const change =
    (act: (record: PostRecord) => Promise<unknown>, accepts = isCreated) =>
    async (): Promise<void> => {
      const candidates = own.filter(accepts).slice(-6);
      if (candidates.length > 0) await act(oneOf(candidates));
    };
  const review = (action: 'approve' | 'decline') =>
    change(
      (record) => send(owner, record, reviewRequest(record, action, newKey())),
      (record) => record.needsApproval && isCreated(record),
    );
  const move = (days: number | null) =>
    change((record) => {
      const scheduledAt = days === null ? null : inWholeSeconds(Date.now() + days * DAY_MS);
      const field = oneOf(['schedulePosts', 'updatePost'] as const);
      return send(owner, record, moveRequest(record, { scheduledAt, key: newKey() }, field));
    });
  const edit = change((record) => {
    const text = `round ${round}, edit ${newKey()}`;
    return send(owner, record, editRequest(oneOf(APIS), record, { text, key: newKey() }));
  });
  const remove = change((record) =>
    send(owner, record, deleteRequest(oneOf(APIS), record, newKey())),
  );

  const changes = [
    edit,
    edit,
    remove,
    move(3),
    move(null),
    review('approve'),
    review('approve'),
    review('decline'),
  ];
  while (!isOver()) {
    if (own.length < maxPosts) await create();
    if (fraction() < 0.5) await oneOf(changes)();
    await sleep(fraction() * MAX_PAUSE_MS);
  }
}
