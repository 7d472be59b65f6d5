import type { DeliveryGuarantee } from '../../src/domain/networks/network-definition.js';

/** The two APIs, which the load uses alike. */
export type Api = 'graphql' | 'v1';
export const APIS: readonly Api[] = ['graphql', 'v1'];

/** What a request asks for. `cause` is a fault that is set on the sandbox network. */
export type Action =
  'create' | 'edit' | 'delete' | 'move' | 'draft' | 'approve' | 'decline' | 'cause';

/** One change that was asked for, and its result. */
export interface RecordedAction {
  readonly action: Action;
  readonly api: Api;
  /** When the first request was sent, and when the result was known. */
  readonly from: string;
  to: string;
  /** Text, time or fault that was asked for. */
  readonly value: string;
  /** `unknown`: no response said what became of it. */
  outcome: 'done' | 'refused' | 'unknown';
  /** Error code of a refusal. */
  code: string | null;
}

/** An account of a round, and how well its network tells what it has. */
export interface LoadAccount {
  readonly id: string;
  readonly guarantee: DeliveryGuarantee;
}

/** A post of the load, with everything that its client asked for, in this order. */
export interface PostRecord {
  /** Null until the creation is acknowledged. */
  id: string | null;
  /** The last version that a response contained. */
  version: number;
  readonly round: number;
  readonly account: LoadAccount;
  readonly needsApproval: boolean;
  readonly actions: RecordedAction[];
}

/** Actions that decide whether a post is published. */
const DECIDING: ReadonlySet<Action> = new Set([
  'create',
  'delete',
  'move',
  'draft',
  'approve',
  'decline',
]);

/**
 * The last action that decided about the publication; null if a later one has an unknown outcome.
 */
export function lastDecision({ actions }: PostRecord): RecordedAction | null {
  const last = actions.findLast(
    ({ action, outcome }) => DECIDING.has(action) && outcome !== 'refused',
  );
  return last?.outcome === 'done' ? last : null;
}
