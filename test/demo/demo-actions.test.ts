import { decideAction } from '../../src/domain/actions/post-actions.js';
import { enumKeys } from '../../src/domain/enums.js';
import { type Post, readPostId } from '../../src/domain/posts/post.js';
import { isOnNetwork } from '../../src/domain/rules/removal-rules.js';
import type { Viewer } from '../../src/domain/access/viewer.js';
import type { ErrorCode } from '../../src/domain/errors.js';
import { createIdempotencyStore } from '../../src/persistence/changes/idempotency-store.js';
import { createHistoryStore } from '../../src/persistence/history/history-store.js';
import { createPostingScheduleStore } from '../../src/persistence/posting-schedules/posting-schedule-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { createWorkspaceRecordStore } from '../../src/persistence/workspaces/workspace-record-store.js';
import { createPosts } from '../../src/services/posts/posts.js';
import { ACTION_CALLS } from '../fixtures/action-calls.js';
import { recordsIn } from '../fixtures/records.js';
import { actionResults } from '../fixtures/services.js';
import { demoScenario } from './demo-scenario.js';

/** Refusals that depend on the input, or on other posts of the same call. */
const OF_THE_CALL: ReadonlySet<ErrorCode> = new Set(['DAILY_LIMIT_EXCEEDED', 'NO_FREE_SLOT']);
/** In whole seconds, as times of posts are. */
const IN_A_MONTH = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 30 * 86_400_000);
const POSTS_PER_CALL = 100;

/** Whether the table allows to delete the post, and to remove it from its network before. */
const mayDeleteOnNetwork = (post: Post, viewer: Viewer): boolean =>
  decideAction('delete', post, viewer).kind !== 'refused' &&
  !(isOnNetwork(post.storedState) && decideAction('unpublish', post, viewer).kind === 'refused');

test('the table of actions and the calls agree about every post of the demo', async () => {
  const scenario = await demoScenario();
  try {
    const database = scenario.db;
    const { prisma } = database;
    const store = createPostStore(database);
    const posts = createPosts({
      history: createHistoryStore(database),
      store,
      ids: recordsIn(scenario.db).ids,
      clock: { now: () => new Date() },
      workspaceRecords: createWorkspaceRecordStore(database),
      postingSchedules: createPostingScheduleStore(database),
      idempotency: createIdempotencyStore(database),
    });
    const { workspaceId } = scenario.demo;
    const account = await prisma.account.findFirstOrThrow({ where: { workspaceId } });
    const rows = await prisma.post.findMany({
      where: { workspaceId, deletedAt: null },
      select: { docId: true, version: true, accountId: true },
    });
    const versionOf = new Map(rows.map(({ docId, version }) => [docId, version]));
    const disagreements: unknown[] = [];
    let compared = 0;
    for (const name of ['owner', 'editor', 'viewer'] as const) {
      const viewer = await scenario.viewer(name);
      for (const isIdea of [true, false]) {
        const ids = rows
          .filter(({ accountId }) => (accountId === null) === isIdea)
          .map(({ docId }) => docId);
        for (let from = 0; from < ids.length; from += POSTS_PER_CALL) {
          const part = ids.slice(from, from + POSTS_PER_CALL);
          const lookups = await store.findAll(viewer, part.map(readPostId));
          const deletion = await posts.delete(viewer, {
            ids: part,
            policy: 'skip_refused',
            onNetwork: true,
            dryRun: true,
          });
          for (const [index, { id, code }] of (deletion.kind === 'done'
            ? deletion.results
            : []
          ).entries()) {
            const lookup = lookups[index]!;
            const isAllowed = lookup.kind === 'found' && mayDeleteOnNetwork(lookup.post, viewer);
            compared++;
            if (isAllowed !== (code === null)) disagreements.push([name, 'onNetwork', id, code]);
          }
          for (const action of enumKeys(ACTION_CALLS)) {
            const call = ACTION_CALLS[action]({
              at: IN_A_MONTH,
              accountId: isIdea ? account.id : null,
            });
            const outcome = await posts.act(viewer, {
              ids: part,
              expectedVersions: part.map((id) => versionOf.get(id)!),
              action: call,
              policy: 'skip_refused',
              dryRun: true,
            });
            for (const [index, { id, refusals }] of actionResults(outcome).entries()) {
              const lookup = lookups[index]!;
              const decision =
                lookup.kind === 'found'
                  ? decideAction(action, lookup.post, viewer).kind
                  : 'refused';
              const isRefused = refusals.some(({ code }) => !OF_THE_CALL.has(code));
              compared++;
              if (isRefused !== (decision === 'refused'))
                disagreements.push([name, action, id, decision, refusals]);
            }
          }
        }
      }
    }
    expect(disagreements).toEqual([]);
    expect(compared).toBeGreaterThan(5_000);
  } finally {
    await scenario.close();
  }
});
