import { NETWORKS } from '../../domain/networks/networks.js';
import type { Post } from '../../domain/posts/post.js';
import type { Clock } from '../clock.js';
import type {
  LookResult,
  NetworkAdapter,
  PublicationTarget,
  Publisher,
  PublishResult,
  SentPost,
} from '../networks/network-ports.js';

/** One step of a trial, as a person reads it. */
export interface TrialStep {
  readonly step: 'prepare' | 'publish' | 'look' | 'edit' | 'remove' | 'look after removal';
  /** Whether the network did what was expected. */
  readonly ok: boolean;
  /** What the network answered, in one sentence. */
  readonly saw: string;
}

/** A post that is published on a network to see what becomes of it. */
export interface Trial {
  readonly adapter: NetworkAdapter & { readonly publisher: Publisher };
  readonly target: PublicationTarget;
  /** Whether the post stays on the network. */
  readonly keeps: boolean;
  readonly clock: Clock;
  /** Waits for so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly report: (step: TrialStep) => void;
}

/** How long a network may process a post of a trial. */
const MAX_WAIT_MS = 600_000;
const LOOK_PAUSE_MS = 5_000;

/** The text of the test post: readers who see it are to know what it is. */
export const trialText = (at: Date): string =>
  `Test of posts-gateway at ${at.toISOString()}. This post is removed in a moment.`;

/** An answer of the network, for a person. */
function describe(result: PublishResult | LookResult): string {
  switch (result.kind) {
    case 'live':
      return `It is live: ${result.remoteId ?? 'without an ID'}, ${result.url ?? 'without an address'}.`;
    case 'processing':
      return 'The network has it and is processing it.';
    case 'not_there':
      return `The network does not have it${result.isCompared ? ', as far as its recent posts tell' : ''}.`;
    case 'cannot_tell':
      return 'The network cannot tell whether it has it.';
    case 'repeat':
      return 'The network tells only if the same call is repeated.';
    case 'rejected':
    case 'failed':
      return result.message;
  }
}

/** Prepares the post, as long as that takes; null if the network refuses. */
async function prepare({ adapter, target, clock, pause, report }: Trial): Promise<SentPost | null> {
  const endsAt = clock.now().getTime() + MAX_WAIT_MS;
  let prepared = await adapter.publisher.prepare(target);
  while (prepared.kind === 'preparing' && clock.now().getTime() < endsAt) {
    await pause(prepared.againInMs);
    prepared = await adapter.publisher.prepare(target, prepared.handle);
  }
  if (prepared.kind === 'prepared') {
    const { handle, guarantee } = prepared;
    report({ step: 'prepare', ok: true, saw: `It is ready, with the guarantee ${guarantee}.` });
    return { ...target, handle, sentAt: clock.now() };
  }
  const saw = prepared.kind === 'failed' ? prepared.message : 'It was not ready after ten minutes.';
  report({ step: 'prepare', ok: false, saw });
  return null;
}

/** Asks for the post until the network has processed it. */
async function look({ adapter, clock, pause }: Trial, sent: SentPost): Promise<LookResult> {
  const endsAt = clock.now().getTime() + MAX_WAIT_MS;
  for (;;) {
    const seen = await adapter.publisher.look(sent);
    if (seen.kind !== 'processing' || clock.now().getTime() >= endsAt) return seen;
    await pause(LOOK_PAUSE_MS);
  }
}

/** Whether the text of a published post of this type can change on the network. */
const isTextEdited = ({ network, type }: Post): boolean =>
  NETWORKS[network!].edits.some(
    ({ field, appliesTo, types }) =>
      field === 'text' &&
      appliesTo === 'service_and_network' &&
      (types.length === 0 || types.includes(type)),
  );

async function edit({ adapter, target, report }: Trial, remoteId: string): Promise<boolean> {
  const post = { ...target.post, text: `${target.post.text} It was edited.` };
  const result = await adapter.edit({ ...target, post, remoteId, changed: new Set(['text']) });
  const ok = result.kind === 'edited';
  report({ step: 'edit', ok, saw: ok ? 'The text was edited.' : result.message });
  return ok;
}

async function remove(trial: Trial, sent: SentPost, remoteId: string): Promise<boolean> {
  const { adapter, target, report } = trial;
  const result = await adapter.publisher.remove({ ...target, remoteId, postId: target.post.id });
  const isRemoved = result.kind === 'removed';
  report({
    step: 'remove',
    ok: isRemoved,
    saw: isRemoved ? 'It was removed.' : `${result.message} Remove ${remoteId} yourself.`,
  });
  if (!isRemoved) return false;
  const after = await adapter.publisher.look(sent);
  const ok = after.kind !== 'live' && after.kind !== 'failed';
  report({ step: 'look after removal', ok, saw: describe(after) });
  return ok;
}

/**
 * Publishes a test post on the network itself, looks for it as after a call without an answer,
 * edits and removes it, and reports what the network answered. Returns whether all went as
 * expected.
 */
export async function tryAccount(trial: Trial): Promise<boolean> {
  const { adapter, target, keeps, report } = trial;
  const sent = await prepare(trial);
  if (!sent) return false;
  const published = await adapter.publisher.publish(sent);
  const isTaken = published.kind !== 'failed';
  report({ step: 'publish', ok: isTaken, saw: describe(published) });
  const handle = published.kind === 'processing' ? (published.handle ?? sent.handle) : sent.handle;
  // Also after a failure: the network may have it anyway.
  const asSent = { ...sent, handle };
  const seen = await look(trial, asSent);
  const live = seen.kind === 'live' ? seen : published.kind === 'live' ? published : null;
  // Some networks cannot be asked: then the answer of the call has to do.
  const isUnasked = seen.kind === 'cannot_tell' || seen.kind === 'repeat';
  const isFound = seen.kind === 'live' || (live !== null && isUnasked);
  report({ step: 'look', ok: isFound, saw: describe(seen) });
  const remoteId = live?.remoteId ?? null;
  if (remoteId === null) return false;
  const isEdited = !isTextEdited(target.post) || (await edit(trial, remoteId));
  const isRemoved = keeps || (await remove(trial, asSent, remoteId));
  return isTaken && isFound && isEdited && isRemoved;
}
