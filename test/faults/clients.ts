import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from './random.js';
import { toAttempt, type Answer, type Asker, type Request } from './asking.js';
import { DELETIONS, UPDATES, versionOf, type Told, type Wish } from './changes.js';
import { labelsOf } from './history.js';
import { acknowledge, type Change, type Journal } from './journal.js';
import { dayAhead, type Own, type Stage } from './stage.js';

/** A killed process holds an idempotency key for half a minute: whoever asks again has an answer after that. */
const KEY_PATIENCE_MS = 60_000;
const ASK_AGAIN_MS = 100;
const MOST_PAUSE_MS = 30;
const DAY_MS = 86_400_000;
const LONGEST_AHEAD_DAYS = 40;
/** The last days that the rule of a series may be given. */
const RULED_DAYS = [3, 9] as const;
/** Fields that GraphQL alone takes by these names. */
const ONLY_GRAPHQL = ['scheduledAt', 'recurring'];

/** The one refusal that a change of a kind may meet: a forbidden one always, one on a version where somebody else was faster. */
const REFUSALS: Readonly<Record<string, string>> = {
  forbidden: 'RULE_VIOLATION',
  versioned: 'CONFLICT',
};

/** Answers that say nothing of what became of a change. */
const IS_UNCLEAR: ReadonlySet<string> = new Set(['UNAVAILABLE', 'IDEMPOTENCY_IN_FLIGHT']);

let marks = 0;

interface Load {
  readonly asker: Asker;
  readonly journal: Journal;
  readonly stage: Stage;
  readonly chance: Chance;
  isOver(): boolean;
}

/** One client: it changes its own posts and shared ones through both doors of either gateway, and reads between. */
export async function aClient(
  { asker, journal, stage, chance: { share, oneOf, between }, isOver }: Load,
  own: Own,
): Promise<void> {
  let gateway = Math.floor(share() * asker.count);
  const another = (): number => (gateway = (gateway + 1) % asker.count);

  async function ask(request: Request): Promise<Answer> {
    const answer = await asker.ask(gateway, request);
    if (answer.status === null || share() < 0.2) another(); // as a balancer would, and to read elsewhere what was written here
    return answer;
  }

  /** Sends a change, with a key again until it is clear what became of it. */
  async function send(asked: Omit<Change, 'attempts' | keyof Told>): Promise<void> {
    const change: Change = {
      ...asked,
      attempts: [],
      outcome: 'unknown',
      code: null,
      version: null,
      job: null,
      text: null,
    };
    journal.changes.push(change);
    const last = performance.now() + KEY_PATIENCE_MS;
    for (;;) {
      const answer = await ask(change.request);
      const { status, code } = answer;
      change.attempts.push(toAttempt(answer, change.attempts.length > 0));
      const told = change.read(answer);
      if (told) {
        Object.assign(change, told);
        if (
          told.outcome === 'refused'
            ? told.code !== REFUSALS[change.kind]
            : change.kind === 'forbidden'
        )
          journal.broken.push(
            `${change.kind} ${change.mark} of ${change.posts[0]} was ${told.outcome} ${told.code ?? ''}`,
          );
        if (told.version !== null) acknowledge(journal, change.posts[0]!, told.version);
        if (told.text !== null && change.kind !== 'labels' && told.text !== change.mark)
          journal.broken.push(`${change.mark} was answered with the text ${told.text}`);
        return;
      }
      if (status !== null && !IS_UNCLEAR.has(code))
        journal.broken.push(
          `${change.kind} ${change.mark} was answered ${status} ${code}: ${JSON.stringify(answer.body)}`,
        );
      if (change.key === null || performance.now() > last) return;
      await sleep(ASK_AGAIN_MS);
    }
  }

  async function update(
    kind: string,
    id: string,
    patchOf: (mark: string) => Wish['patch'],
    more: Partial<Wish> = {},
  ): Promise<void> {
    const mark = `mark ${++marks}`;
    const key = share() < 0.5 ? mark : null;
    const patch = patchOf(mark);
    const { endDate = null } = (patch.recurring ?? {}) as { endDate?: string };
    const door =
      UPDATES[
        ONLY_GRAPHQL.some((field) => field in patch) ? 'graphql' : oneOf(['graphql', 'v1'] as const)
      ];
    await send({
      kind,
      mark,
      posts: [id],
      key,
      scheduledAt: (patch.scheduledAt as string | undefined) ?? null,
      endDate,
      expectedVersion: more.expectedVersion ?? null,
      request: door.write({ id, patch, key, ...more }),
      read: door.read,
    });
  }

  async function remove(): Promise<void> {
    const ids = stage.doomed.splice(0, 3);
    if (ids.length < 3) return;
    const mark = `mark ${++marks}`;
    const key = share() < 0.5 ? mark : null;
    const door = DELETIONS[oneOf(['graphql', 'v1'] as const)];
    await send({
      kind: 'delete',
      mark,
      posts: ids,
      key,
      scheduledAt: null,
      endDate: null,
      expectedVersion: null,
      request: door.write({ ids, key }),
      read: door.read,
    });
  }

  /** Through v1 one post, through GraphQL all that are published: no answer is older than what was acknowledged before it was asked for. */
  async function read(): Promise<void> {
    const known = new Map(journal.acknowledged);
    const note = (post: string, version: number, text: string): void =>
      void journal.readings.push({ post, version, text, atLeast: known.get(post) ?? 0 });
    const isList = share() < 0.5;
    const id = oneOf([...own.planned, ...own.published, ...stage.shared]);
    const answer = await ask(
      isList
        ? {
            method: 'POST',
            path: '/graphql',
            body: {
              query:
                '{ posts(first: 50, filter: {states: [PUBLISHED]}) { totalCount nodes { id version text } } }',
            },
          }
        : { method: 'GET', path: `/v1/posts/${id}` },
    );
    const { status, code, body } = answer;
    journal.attempts.push(toAttempt(answer));
    if (code !== 'OK') {
      if (status !== null && code !== 'UNAVAILABLE')
        journal.broken.push(`a read was answered ${status} ${code}`);
      return;
    }
    if (!isList) {
      note(id, versionOf(answer.headers['etag']), body.text);
      return;
    }
    for (const post of body.data.posts.nodes) note(post.id, post.version, post.text);
    const { totalCount, nodes } = body.data.posts;
    if (totalCount !== stage.publishedCount || nodes.length !== stage.publishedCount)
      journal.broken.push(
        `${totalCount} published posts were counted and ${nodes.length} shown, and there are ${stage.publishedCount}`,
      );
  }

  /** On the version that was seen last; somebody else may have been faster. */
  async function updateShared(): Promise<void> {
    const id = oneOf(stage.shared);
    await update('versioned', id, (mark) => ({ text: mark }), {
      expectedVersion: journal.acknowledged.get(id) ?? 1,
    });
  }

  const soon = (): string =>
    new Date(Math.floor(Date.now() / 1000) * 1000 + DAY_MS * (1 + share() * LONGEST_AHEAD_DAYS))
      .toISOString()
      .replace(/\.\d+/, '');
  const acts: readonly (() => Promise<unknown>)[] = [
    () => update('text', oneOf(own.planned), (mark) => ({ text: mark })),
    () =>
      update('labels', oneOf(own.planned), (mark) => ({
        labels: labelsOf(mark).map((name) => ({ name })),
      })),
    () => update('date', oneOf(own.planned), (mark) => ({ text: mark, scheduledAt: soon() })),
    () => update('published', oneOf(own.published), (mark) => ({ text: mark })),
    () => update('series', own.series, (mark) => ({ text: mark })),
    () =>
      update('rule', own.ruled, (mark) => ({
        text: mark,
        recurring: { repeat: 'daily', endDate: dayAhead(Math.round(between(RULED_DAYS))) },
      })),
    () =>
      update('forbidden', oneOf(own.published), (mark) => ({ text: mark, link: { title: mark } })),
    updateShared,
    () => (share() < 0.3 ? remove() : read()),
  ];
  for (const act of acts) await act(); // however little time there is, something of each kind is done
  while (!isOver()) {
    await oneOf(acts)();
    await read();
    await sleep(share() * MOST_PAUSE_MS);
  }
}
