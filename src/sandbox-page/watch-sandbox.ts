import { headersOf, type Credentials } from '../playground/credentials.js';

/** A media item of a post. */
export interface SandboxMedia {
  readonly type: string;
  readonly url: string;
  readonly alt_text: string | null;
}

/** A post as readers of the network see it: the body of `GET /sandbox/{id}`. */
export interface SandboxPost {
  readonly id: string;
  readonly network: string;
  readonly type: string;
  readonly text: string;
  readonly title: string | null;
  readonly excerpt: string | null;
  readonly question: string | null;
  readonly options: readonly string[];
  readonly tags: readonly string[];
  readonly content: readonly { readonly type: string; readonly data: unknown }[];
  readonly media: readonly SandboxMedia[];
  readonly featured_media: SandboxMedia | null;
  readonly link: {
    readonly url: string;
    readonly title: string | null;
    readonly description: string | null;
  } | null;
  /** Options of the network, such as spoiler_text. */
  readonly network_options: Readonly<Record<string, string | boolean>> | null;
  readonly published_at: string;
  readonly edits: number;
  readonly edited_at: string | null;
}

/** A sandbox account with its newest posts. */
export interface SandboxAccount {
  readonly id: string;
  readonly network: string;
  readonly name: string;
  readonly posts: readonly SandboxPost[];
}

/** Milliseconds between two requests. */
const INTERVAL_MS = 3_000;
/** While less than half of the rate limit is left, which other clients of the key need, too. */
const SLOW_INTERVAL_MS = 10_000;
/** Statuses of requests that will not succeed later either. */
const FINAL_STATUSES: readonly number[] = [400, 401, 403, 404];

interface Watcher {
  onAccounts(accounts: readonly SandboxAccount[]): void;
  /** A request failed; null once a later one has succeeded. */
  onProblem(problem: string | null): void;
}

const untilVisible = (): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden) return resolve();
    document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

function intervalAfter({ headers }: Response): number {
  const retryAfter = Number(headers.get('Retry-After')) * 1_000;
  const [limit, remaining] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'].map((name) =>
    Number(headers.get(name)),
  );
  const isScarce = remaining! < limit! / 2;
  return Math.max(retryAfter, isScarce ? SLOW_INTERVAL_MS : INTERVAL_MS);
}

/**
 * Polls the sandbox network while the page is visible. The gateway has no events for what happens
 * on a network alone, such as a post that the network has taken although the call was interrupted,
 * or that was deleted there: so the page asks the network itself.
 */
export function watchSandbox(credentials: Credentials, watcher: Watcher): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let etag: string | null = null;

  /** Returns the time until the next request; null if none is to follow. */
  async function poll(): Promise<number | null> {
    const response = await fetch('/sandbox/posts', {
      headers: { ...headersOf(credentials), ...(etag !== null && { 'If-None-Match': etag }) },
      cache: 'no-store',
      signal,
    });
    if (response.status === 304 || response.ok) watcher.onProblem(null);
    if (response.ok) {
      etag = response.headers.get('ETag');
      const { accounts } = (await response.json()) as { accounts: readonly SandboxAccount[] };
      watcher.onAccounts(accounts);
    } else if (response.status !== 304) {
      const { message } = (await response.json()) as { message: string };
      watcher.onProblem(message);
      if (FINAL_STATUSES.includes(response.status)) return null;
    }
    return intervalAfter(response);
  }

  async function run(): Promise<void> {
    for (let next: number | null = 0; next !== null && !signal.aborted;) {
      await sleep(next);
      await untilVisible();
      if (signal.aborted) return;
      next = await poll().catch(() => {
        if (!signal.aborted) watcher.onProblem('The gateway does not respond. Trying again.');
        return SLOW_INTERVAL_MS;
      });
    }
  }
  void run();
  return () => abort.abort();
}
