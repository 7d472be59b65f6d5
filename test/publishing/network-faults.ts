import { SERVICE } from '../../src/domain/access/viewer.js';
import type { Network } from '../../src/domain/networks/networks.js';
import type { Post } from '../../src/domain/posts/post.js';
import type { Publication } from '../../src/domain/publishing/publication.js';
import type { JobRun } from '../../src/persistence/jobs/job-queue.js';
import {
  createHttpClient,
  type HttpClient,
  type HttpRequest,
  type RawResponse,
} from '../../src/networks/http-client/http-client.js';
import { systemClock } from '../../src/services/clock.js';
import type { NetworkAdapter, Publisher } from '../../src/services/networks/network-ports.js';
import { createPublishing } from '../../src/services/publishing/publish-post.js';
import type { TestPublishing } from '../fixtures/publishing.js';
import type { NetworkCase, NetworkStandIn } from '../networks/stand-ins/network-case.js';
import type { PublishedCase } from '../networks/stand-ins/publication-case.js';
import type { Reply } from '../networks/stand-ins/stand-in.js';

/** Which of the calls of a publisher a request belongs to. */
type Phase = 'prepare' | 'publish' | 'look';

/** A request of an attempt. */
export interface AttemptRequest {
  readonly phase: Phase;
  /** Whether it is the one that makes the post public. */
  readonly isPublishing: boolean;
  /** How often the phase was entered, from 1. */
  readonly nth: number;
  /** Number of the request in the whole scenario, from 1. */
  readonly number: number;
}

/**
 * What becomes of a request. `cut_before`: it does not reach the network. `cut_after`,
 * `error_after`, `hang`: it does, and its answer is lost, an error, or too late.
 */
export type RequestFault = 'cut_before' | 'cut_after' | 'error_after' | 'hang' | Reply;

/** A fault of the network, or of the process that publishes. */
export interface Fault {
  readonly name: string;
  /** The boundary at which the process is killed: before or after a request or a write. */
  readonly killAt?: number;
  /** Called before each request. Returns what becomes of it; null if it is answered. */
  readonly on?: (request: AttemptRequest, scenario: Scenario) => RequestFault | null;
}

/** A post that is published on a stand-in of its own while something fails. */
export interface Scenario {
  readonly network: NetworkCase;
  readonly content: PublishedCase;
  readonly fault: Fault;
  readonly standIn: NetworkStandIn;
  readonly post: Post;
  /** Boundaries passed so far. */
  readonly boundaries: () => number;
  /** Requests so far that had to make the post public. */
  readonly calls: () => number;
  /** Runs a job of the post, until it ends or the process is killed. */
  run(run: JobRun): Promise<void>;
}

const never = (): Promise<never> => new Promise(() => undefined);

/** Counts what a process does, and kills it in between. */
class Boundaries {
  passed = 0;
  private onKill: () => void = () => undefined;
  constructor(private readonly killAt: number | undefined) {}

  /** Resolves when the process is killed. */
  nextKill(): Promise<'killed'> {
    return new Promise((resolve) => {
      this.onKill = () => resolve('killed');
    });
  }
  /** A boundary: what follows never happens if the process is killed at it. */
  async pass(): Promise<void> {
    this.passed += 1;
    if (this.passed !== this.killAt) return;
    this.onKill();
    await never();
  }
  /** A call with a boundary before and after its effect. */
  async around<T>(call: () => Promise<T>): Promise<T> {
    await this.pass();
    const result = await call();
    await this.pass();
    return result;
  }
  /** The same for methods of an object. */
  of<T extends object, Name extends keyof T>(target: T, ...names: readonly Name[]): T {
    const wrapped = names.map((name) => {
      const method = target[name] as (...args: unknown[]) => Promise<unknown>;
      return [name, (...args: unknown[]) => this.around(() => method(...args))] as const;
    });
    return { ...target, ...(Object.fromEntries(wrapped) as Pick<T, Name>) };
  }
}

const toRawResponse = ({ status, json, text, headers = {} }: Reply): RawResponse => ({
  status,
  headers: new Headers({
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }),
  bytes: new Uint8Array(Buffer.from(json === undefined ? (text ?? '') : JSON.stringify(json))),
});

/** Requests that a publication needs for a token or a session only. */
const isForAccess = ({ url }: HttpRequest): boolean => /oauth2\.googleapis\.com/.test(url.pathname);

/** Opens a scenario, with a post whose time has come. */
export async function openScenario(
  publishing: TestPublishing,
  by: Awaited<ReturnType<TestPublishing['aViewer']>>,
  { network, content, fault }: Pick<Scenario, 'network' | 'content' | 'fault'>,
): Promise<Scenario> {
  const standIn = await network.start();
  const account = await publishing.aSandboxAccount(by, { network: network.network });
  const post = await publishing.aDuePost({ by, account });
  const given = content.post(standIn.url);
  const boundaries = new Boundaries(fault.killAt);
  let phase: Phase = 'prepare';
  let [number, calls] = [0, 0];
  let isCallPending = false;
  const entered: Record<Phase, number> = { prepare: 0, publish: 0, look: 0 };

  const direct = createHttpClient({ allowLoopback: true, clock: systemClock });
  const http: HttpClient = {
    ...direct,
    send: (request) =>
      boundaries.around(async () => {
        number += 1;
        const isPublishing = isCallPending && request.method !== 'GET' && !isForAccess(request);
        if (isPublishing) {
          isCallPending = false;
          calls += 1;
        }
        const about = { phase, isPublishing, nth: entered[phase], number };
        const happens = fault.on?.(about, scenario) ?? null;
        if (happens === null) return direct.send(request);
        if (typeof happens === 'object') return toRawResponse(happens);
        if (happens === 'cut_before') throw new Error('The connection was cut');
        await direct.send(request);
        if (happens === 'error_after')
          return toRawResponse({ status: 503, json: network.errorBody(503, 'Unavailable') });
        throw happens === 'hang'
          ? new DOMException('Timeout', 'TimeoutError')
          : new Error('The connection was cut');
      }),
  };
  const whole = network.adapter(http, standIn.url);
  const entering =
    <Args extends unknown[], Result>(name: Phase, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      phase = name;
      entered[name] += 1;
      isCallPending = name === 'publish';
      return call(...args);
    };
  const publisher: Publisher = {
    ...whole.publisher!,
    prepare: entering('prepare', whole.publisher!.prepare),
    publish: entering('publish', whole.publisher!.publish),
    look: entering('look', whole.publisher!.look),
  };
  const adapter: NetworkAdapter = { ...whole, publisher };
  const { dependencies } = publishing;
  const ledger = boundaries.of(
    dependencies.ledger,
    'start',
    'recordPreparation',
    'arm',
    'recordLook',
    'release',
  );
  const publish = createPublishing({
    ...dependencies,
    ledger: {
      ...ledger,
      // The stored post has the content of the case only here: its files need no rows.
      async findSubject(id) {
        const subject = await dependencies.ledger.findSubject(id);
        return subject && { ...subject, post: { ...subject.post, ...given } };
      },
    },
    store: { ...dependencies.store, save: boundaries.of(dependencies.store, 'save').save },
    connect: async (found) => ({
      kind: 'connected',
      adapter,
      account: { ...found, socialId: '1' },
      credentials: network.credentials(standIn.url),
    }),
  });
  const scenario: Scenario = {
    network,
    content,
    fault,
    standIn,
    post,
    boundaries: () => boundaries.passed,
    calls: () => calls,
    async run(run) {
      const outcome = await Promise.race([boundaries.nextKill(), publish(run)]);
      if (outcome === 'killed') await publishing.expireLease(run);
      else await publishing.queue.settle(run, outcome);
    },
  };
  opened.set(post.databaseId, scenario);
  return scenario;
}

/** By post: a job that was left by a killed process may run after its publication is over. */
const opened = new Map<number, Scenario>();

/** Until when nothing is to be done, in minutes. */
const NEXT_MINUTES = `
SELECT GREATEST(EXTRACT(epoch FROM LEAST(
  (SELECT min(due_at) FROM job WHERE status = 'working' AND kind = 'publish'),
  (SELECT min(retry_at) FROM post WHERE retry_at IS NOT NULL)) - now()) / 60, 0)::float8 AS minutes`;
/** A handle tells when it was prepared. */
const AGE_HANDLES = `
UPDATE publication_attempt SET handle = jsonb_set(handle, '{preparedAt}',
  to_jsonb(to_char(((handle->>'preparedAt')::timestamptz - make_interval(secs => $1 * 60)) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
 WHERE finished_at IS NULL AND handle ? 'preparedAt'`;

/** The publication is over: no job goes on with it. */
const isOver = (publication: Publication | null): boolean =>
  ['published', 'failed', 'unconfirmed', 'missed'].includes(publication?.status ?? '');

/** More than any scenario needs: a job is repeated about once for each request. */
const MAX_TURNS = 400;

/**
 * Runs the jobs of all scenarios until each publication is over, and skips the pauses. Accounts that
 * need a new token get it.
 * @throws Error if they do not end
 */
export async function settleScenarios(
  publishing: TestPublishing,
  by: Awaited<ReturnType<TestPublishing['aViewer']>>,
  scenarios: readonly Scenario[],
): Promise<Map<Scenario, Publication>> {
  const ended = new Map<Scenario, Publication>();
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await publishing.sweep();
    const runs = await publishing.claim();
    await Promise.all(
      runs.map((run) =>
        run.kind === 'publish'
          ? opened.get(run.postId!)!.run(run)
          : publishing.queue.settle(run, { kind: 'completed', failures: [] }),
      ),
    );
    for (const scenario of scenarios) {
      if (ended.has(scenario)) continue;
      const publication = await publishing.publicationOf(by, scenario.post);
      if (isOver(publication)) ended.set(scenario, publication!);
    }
    if (ended.size === scenarios.length) return ended;
    const revoked = await publishing.sql<{ id: string }>(
      'SELECT id FROM account WHERE needs_reauth',
    );
    for (const { id } of revoked) await publishing.accountStatus.markReconnected(id, SERVICE);
    if (runs.length > 0) continue;
    const [next] = await publishing.sql<{ minutes: number }>(NEXT_MINUTES);
    const minutes = Math.ceil((next?.minutes ?? 0) + 0.01);
    await publishing.letTimePass(minutes);
    await publishing.sql(AGE_HANDLES, minutes);
  }
  const left = scenarios.filter((scenario) => !ended.has(scenario));
  throw new Error(`not over: ${left.map(nameOf).join('; ')}`);
}

export const nameOf = ({
  network,
  content,
  fault,
}: Pick<Scenario, 'network' | 'content' | 'fault'>) =>
  `${network.network}, ${content.name}, ${fault.name}`;

/** What contradicts the laws of publication (D53 to D57); null if nothing does. */
export function lawViolation(scenario: Scenario, { status, error }: Publication): string | null {
  const { network, content, standIn } = scenario;
  const count = network.publication!.published(standIn.state()).length;
  const guarantee = content.guarantee ?? network.publication!.guarantee;
  if (count > 1) return `it is there ${count} times`;
  if (status === 'published' && count === 0) return 'it is not there';
  if (status !== 'published' && status !== 'unconfirmed' && count > 0)
    return `it is there, and ${status}`;
  if (status === 'unconfirmed' && guarantee === 'exact') return 'it is unconfirmed';
  if (status !== 'published' && !error?.message) return 'no reason is given';
  return standIn.violations[0] ?? null;
}

/** How each network says that too much was asked of it. */
export const LIMITED: Readonly<Partial<Record<Network, () => Reply>>> = {
  facebook: () => ({
    status: 400,
    headers: {
      'x-business-use-case-usage': '{"1":[{"type":"pages","estimated_time_to_regain_access":7}]}',
    },
    json: { error: { message: 'Too many calls', code: 80_001 } },
  }),
  instagram: () => ({ status: 400, json: { error: { message: 'Too many calls', code: 4 } } }),
  threads: () => ({ status: 400, json: { error: { message: 'Too many calls', code: 613 } } }),
  twitter: () => ({
    status: 429,
    headers: {
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 420),
    },
    json: { title: 'Too Many Requests', detail: 'Too many', type: 'about:blank', status: 429 },
  }),
  linkedin: () => ({ status: 429, json: { status: 429, message: 'Throttled' } }),
  pinterest: () => ({
    status: 429,
    headers: { 'x-ratelimit-reset': '420' },
    json: { code: 8, message: 'Too many requests' },
  }),
  google: () => ({
    status: 429,
    json: { error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } },
  }),
};

/** How networks refuse a post as the same as an earlier one. */
export const DUPLICATE: Readonly<Partial<Record<Network, Reply>>> = {
  facebook: { status: 400, json: { error: { message: 'Duplicate status message', code: 506 } } },
  twitter: {
    status: 403,
    json: {
      title: 'Forbidden',
      detail: 'You are not allowed to create a Tweet with duplicate content.',
      type: 'about:blank',
      status: 403,
    },
  },
};
