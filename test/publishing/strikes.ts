import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxPublishFault } from '../../src/domain/networks/sandbox.js';
import type { OpenDatabase } from '../../src/persistence/database.js';
import type { Deployment } from '../faults/deployment.js';
import type { FaultKind } from '../faults/fault-kinds.js';
import type { GatewayClient, GatewayRequest } from '../faults/gateway-client.js';
import type { Random } from '../faults/random.js';
import { FAILING, UNCLEAR, type Phase, type RunningAttempt } from './attempt-phases.js';
import { CLOCK_AHEAD_SECONDS, inWholeSeconds, newKey } from './load.js';
import { holdPhase, PHASE_LOCKS } from './phase-holds.js';
import type { LoadAccount, PostRecord } from './post-record.js';
import { createManyRequest, createsPosts, postIdsOf } from './requests.js';

/** As many as the pace of an account allows at the same time. */
const POSTS_PER_ACCOUNT = 4;
/** Time until the posts are due: enough to create them and to inject the faults. */
const DUE_MS = 1_200;
const CREATION_TIMEOUT_MS = 20_000;
const RETRY_PAUSE_MS = 100;

/** The faults of the calls in a burst; null for none. */
const FAULTS: Readonly<Record<Phase, readonly (SandboxPublishFault | null)[]>> = {
  claimed: [null],
  prepared: [null],
  armed: [null, null, 'cut_after', 'error_after'],
  failed: FAILING,
  taken: [null, null, 'cut_after', 'error_after'],
  recorded: [null, null, 'refuse', 'cut_before'],
  looking: UNCLEAR,
};

const SET_FAULTS = `
INSERT INTO sandbox_fault (post_id, publish_fault, publish_times)
SELECT p.id, f.fault, 1 FROM unnest($1::char(24)[], $2::text[]) AS f(id, fault) JOIN post p ON p.doc_id = f.id WHERE f.fault IS NOT NULL`;

/** What is killed, while attempts to publish posts of these accounts are in the phase. */
export interface Strike {
  readonly round: number;
  readonly kind: FaultKind;
  readonly phase: Phase;
  readonly accounts: readonly LoadAccount[];
}

interface StrikeTarget {
  readonly deployment: Deployment;
  readonly owner: GatewayClient;
  readonly random: Random;
}

/** Creates posts that are all due in the same second. */
async function createBurst(
  { deployment, owner, random }: StrikeTarget,
  { round, phase, accounts }: Strike,
): Promise<PostRecord[]> {
  const from = new Date().toISOString();
  const posts = accounts.flatMap((account) =>
    Array.from({ length: POSTS_PER_ACCOUNT }, () => ({
      account,
      text: `round ${round}, ${phase} ${newKey()}`,
    })),
  );
  const nextRequest = (): GatewayRequest => {
    const scheduledAt = inWholeSeconds(Date.now() + CLOCK_AHEAD_SECONDS * 1000 + DUE_MS);
    return createManyRequest(posts, { scheduledAt, key: newKey() });
  };
  const deadline = performance.now() + CREATION_TIMEOUT_MS;
  let request = nextRequest();
  let response = await owner.send(0, request);
  while (!createsPosts(response) && performance.now() < deadline) {
    // After a late answer, the scheduled time may be too early: nothing was created.
    if (response.status === 200) request = nextRequest();
    await sleep(RETRY_PAUSE_MS);
    response = await owner.send(0, request);
  }
  const ids = postIdsOf(response);
  const database: OpenDatabase = await deployment.database();
  await database.pool.query(SET_FAULTS, [ids, ids.map(() => random.oneOf(FAULTS[phase]))]);
  await database.close();
  const to = new Date().toISOString();
  return posts.map(({ account, text: value }, index) => ({
    id: ids[index]!,
    version: 1,
    round,
    account,
    needsApproval: false,
    actions: [{ action: 'create', api: 'graphql', from, to, value, outcome: 'done', code: null }],
  }));
}

/** Posts whose attempts wait in a phase. */
export interface AimedStrike {
  readonly records: readonly PostRecord[];
  /**
   * Kills, lets the attempts go, and starts again what was killed. Statements of killed processes
   * that waited are executed afterward, or never. Returns the attempts that waited.
   */
  kill(): Promise<RunningAttempt[]>;
}

/** Makes posts of the accounts due at once, and holds their attempts in the phase. */
export async function aimStrike(target: StrikeTarget, strike: Strike): Promise<AimedStrike> {
  const { deployment, random } = target;
  const { kind, phase, accounts } = strike;
  const records = await createBurst(target, strike);
  const held = await holdPhase(deployment.postgres.url(), phase, {
    locks: random.oneOf(PHASE_LOCKS[phase]),
    accountIds: accounts.map(({ id }) => id),
  });
  return {
    records,
    async kill() {
      const waiting = await held.waiting();
      await kind.begin(deployment, random);
      await held.release(random.fraction() < 0.5);
      await sleep(random.between(kind.durationMs));
      await kind.end(deployment);
      return waiting;
    },
  };
}
