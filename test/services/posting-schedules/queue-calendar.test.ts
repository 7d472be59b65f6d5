import fc from 'fast-check';
import { slotsOfMinutes } from '../../../src/domain/publishing/posting-schedule.js';
import type { ScheduleInput } from '../../../src/services/posts/actions/action-request.js';
import type { Account } from '../../../src/domain/posts/post.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import {
  actionRefusals,
  createdPosts,
  NOW,
  refusalsOf,
  targetsOf,
  withServices,
} from '../../fixtures/services.js';

const services = withServices();
const HOUR_MS = 3_600_000;
const EVERY_HOUR = slotsOfMinutes(Array.from({ length: 168 }, (_, hour) => hour * 60));
const inHours = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR_MS);

/** When a post is published, and whether the queue gave it that time. */
interface Time {
  readonly at: Date | null;
  readonly auto: boolean;
}
interface Entry extends Time {
  readonly id: string;
  readonly status: 'draft' | 'planned' | 'deleted';
  /** The times of all versions, from the first on. */
  readonly versions: readonly Time[];
}

const KINDS = [
  'add',
  'draft',
  'queue',
  'pin',
  'give',
  'update',
  'move_to_drafts',
  'delete',
  'restore',
  'revert',
  'pause',
  'resume',
  'wait',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  which: fc.nat(),
  /** Half of the times are those of slots. */
  hours: fc.integer({ min: 1, max: 12 }).map((half) => half / 2),
  version: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A calendar that looks at each hour. */
class Calendar {
  readonly posts = new Map<string, Entry>();
  isPaused = false;

  constructor(private now: Date) {}

  wait(hours: number): Date {
    this.now = new Date(this.now.getTime() + hours * HOUR_MS);
    return this.now;
  }

  isAhead(at: Date | null): boolean {
    return at !== null && at > this.now;
  }

  isTaken(at: Date, except: string): boolean {
    return [...this.posts.values()].some(
      ({ id, status, at: other }) =>
        id !== except && status === 'planned' && other?.getTime() === at.getTime(),
    );
  }

  nextFree(): Date {
    for (let hours = 1; ; hours++) {
      const at = inHours(hours);
      if (at.getTime() >= this.now.getTime() + 60_000 && !this.isTaken(at, '')) return at;
    }
  }

  set(id: string, status: Entry['status'], { at, auto }: Time): void {
    const versions = this.posts.get(id)?.versions ?? [];
    this.posts.set(id, { id, status, at, auto, versions: [...versions, { at, auto }] });
  }

  /** Overdue posts of the queue, in the order of their times and creation. */
  overdue(): Entry[] {
    return [...this.posts.values()]
      .filter(({ status, auto, at }) => status === 'planned' && auto && !this.isAhead(at))
      .sort((a, b) => a.at!.getTime() - b.at!.getTime());
  }
}

const schedule = (viewer: Viewer, id: string, given: Partial<ScheduleInput>) =>
  services.act(viewer, [{ id }], {
    kind: 'schedule',
    mode: 'schedule',
    scheduledAt: null,
    accountId: null,
    visibility: null,
    allowDuplicate: true,
    ...given,
  });

/** What a step does to an existing post, in the calendar and really. */
const CHANGES: Readonly<
  Record<
    Exclude<Step['kind'], 'add' | 'draft' | 'pause' | 'resume' | 'wait'>,
    (calendar: Calendar, viewer: Viewer, post: Entry, given: Step) => Promise<void>
  >
> = {
  async queue(calendar, viewer, { id, status, at, auto }) {
    if (status === 'deleted') return;
    expect(actionRefusals(await schedule(viewer, id, { mode: 'add_to_queue' }))).toEqual([]);
    const isInQueue = status === 'planned' && auto && calendar.isAhead(at);
    if (!isInQueue) calendar.set(id, 'planned', { at: calendar.nextFree(), auto: true });
  },
  async pin(calendar, viewer, { id, status, at, auto }) {
    if (status !== 'planned' || !calendar.isAhead(at)) return;
    expect(actionRefusals(await schedule(viewer, id, {}))).toEqual([]);
    if (auto) calendar.set(id, 'planned', { at, auto: false });
  },
  async give(calendar, viewer, { id, status, at, auto }, { hours }) {
    if (status === 'deleted') return;
    const scheduledAt = new Date(services.clock.time.getTime() + hours * HOUR_MS);
    expect(actionRefusals(await schedule(viewer, id, { scheduledAt }))).toEqual([]);
    const isSame = status === 'planned' && !auto && at?.getTime() === scheduledAt.getTime();
    if (!isSame) calendar.set(id, 'planned', { at: scheduledAt, auto: false });
  },
  async update(calendar, viewer, { id, status, at }, { hours }) {
    if (status === 'deleted') return;
    const scheduledAt = new Date(services.clock.time.getTime() + hours * HOUR_MS);
    const outcome = await services.update(viewer, { id }, { scheduledAt });
    expect(outcome.kind).toBe('updated');
    if (at?.getTime() !== scheduledAt.getTime())
      calendar.set(id, status, { at: scheduledAt, auto: false });
  },
  async move_to_drafts(calendar, viewer, { id, status, at }) {
    if (status !== 'planned') return;
    expect(actionRefusals(await schedule(viewer, id, { mode: 'draft' }))).toEqual([]);
    calendar.set(id, 'draft', { at, auto: false });
  },
  async delete(calendar, viewer, post) {
    if (post.status === 'deleted') return;
    await services.remove(viewer, [post.id]);
    const isPlanned = post.status === 'planned';
    deleted.set(post.id, isPlanned ? 'planned' : 'draft');
    calendar.posts.set(post.id, { ...post, status: 'deleted' });
  },
  async restore(calendar, viewer, { id, status, at, auto }) {
    if (status !== 'deleted') return;
    const outcome = await services.act(viewer, [{ id }], { kind: 'restore', allowDuplicate: true });
    expect(actionRefusals(outcome)).toEqual([]);
    if (deleted.get(id) === 'draft') calendar.set(id, 'draft', { at, auto });
    else if (!calendar.isAhead(at)) calendar.set(id, 'draft', { at: null, auto: false });
    else if (auto && calendar.isTaken(at!, id))
      calendar.set(id, 'planned', { at: calendar.nextFree(), auto });
    else calendar.set(id, 'planned', { at, auto });
  },
  async revert(calendar, viewer, { id, status, at, versions }, { version }) {
    if (status === 'deleted') return;
    const toVersion = 1 + (version % versions.length);
    const old = versions[toVersion - 1]!;
    const outcome = await services.posts.revert(viewer, {
      id,
      toVersion,
      duplicates: 'allow',
      dryRun: false,
    });
    const isSame = old.at?.getTime() === at?.getTime();
    const isAllowed =
      old.at === null
        ? status === 'draft'
        : old.at.getTime() >= services.clock.time.getTime() + 60_000;
    const auto = old.auto && status === 'planned';
    if (isSame) expect(outcome.kind).toBe('updated');
    else if (!isAllowed) expect(refusalsOf(outcome)).toEqual(['RULE_VIOLATION scheduledAt']);
    else if (auto && calendar.isTaken(old.at!, id))
      expect(refusalsOf(outcome)).toEqual(['NO_FREE_SLOT scheduledAt']);
    else {
      expect(outcome.kind).toBe('updated');
      calendar.set(id, status, { at: old.at, auto });
    }
  },
};
/** What deleted posts were. */
const deleted = new Map<string, 'draft' | 'planned'>();

async function runStep(
  calendar: Calendar,
  { viewer, account }: { viewer: Viewer; account: Account },
  one: Step,
): Promise<void> {
  const setPaused = async (paused: boolean) => {
    const request = { accountId: account.id, paused, dryRun: false };
    expect(await services.postingSchedules.set(viewer, request)).toMatchObject({ kind: 'set' });
  };
  const create = async (mode: 'add_to_queue' | 'draft') => {
    const item = { mode, scheduledAt: null, targets: targetsOf(account) };
    const [post] = createdPosts(await services.create(viewer, item));
    return post!.id;
  };
  if (one.kind === 'add') {
    const time = { at: calendar.nextFree(), auto: true };
    calendar.set(await create('add_to_queue'), 'planned', time);
  } else if (one.kind === 'draft') {
    calendar.set(await create('draft'), 'draft', { at: null, auto: false });
  } else if (one.kind === 'pause') {
    await setPaused(true);
    calendar.isPaused = true;
  } else if (one.kind === 'resume') {
    await setPaused(false);
    const overdue = calendar.isPaused ? calendar.overdue() : [];
    for (const { id } of overdue)
      calendar.set(id, 'planned', { at: calendar.nextFree(), auto: true });
    calendar.isPaused = false;
  } else if (one.kind === 'wait') {
    services.clock.time = calendar.wait(one.hours);
  } else {
    const posts = [...calendar.posts.values()];
    const post = posts[one.which % posts.length];
    if (post) await CHANGES[one.kind](calendar, viewer, post, one);
  }
}

test('after any changes, posts have the times of a calendar that looks at each hour', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      services.clock.time = NOW;
      const viewer = await services.aViewer();
      const account = await services.anAccount({ sandbox: true, workspaceId: viewer.workspace.id });
      await services.postingSchedules.set(viewer, {
        accountId: account.id,
        slots: EVERY_HOUR,
        timeZone: 'UTC',
        dryRun: false,
      });
      const calendar = new Calendar(NOW);
      for (const one of steps) {
        await runStep(calendar, { viewer, account }, one);
        const rows = await services.sql<{ id: string; at: Date | null; auto: boolean }>(
          'SELECT doc_id AS id, scheduled_at AS at, auto, stored_state BETWEEN 1 AND 6 AS "isPlanned", version FROM post WHERE account_id = $1 AND deleted_at IS NULL ORDER BY id',
          account.id,
        );
        expect(rows).toEqual(
          [...calendar.posts.values()]
            .filter(({ status }) => status !== 'deleted')
            .map(({ id, at, auto, status, versions }) => ({
              id,
              at,
              auto,
              isPlanned: status === 'planned',
              version: versions.length,
            })),
        );
      }
    }),
    { numRuns: 15 },
  );
});
