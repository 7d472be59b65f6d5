import { POSTS_ALONE, type Change } from '../domain/changes/change.js';
import type { Job } from '../domain/jobs/job.js';
import type { NetworkSync, Post } from '../domain/posts/post.js';
import { capSlotsOf } from '../domain/caps/cap-slots.js';
import { isPending } from '../domain/posts/states.js';
import type { Ids } from '../services/ports.js';
import type { Calendar } from './calendar.js';
import { MAIN, OTHER, SLOW_ACCOUNT } from './cast.js';
import type { Scene } from './scene.js';

const emptyChange = ({ workspace, users }: Scene, { now }: Calendar): Change => ({
  ...POSTS_ALONE,
  workspaceId: workspace.id,
  userId: users.owner.id,
  at: now,
  posts: [],
});

/** Everything a scene holds, made in one transaction; who may approve is told what awaits approval. */
export function firstChange(
  scene: Scene,
  posts: readonly Post[],
  calendar: Calendar,
  ids: Ids,
): Change {
  const plot = scene.workspace.requiresApproval ? OTHER : MAIN;
  const approvers = [
    plot.owner,
    ...plot.members.filter(({ role }) => role === 'admin').map(({ part }) => part),
  ];
  return {
    ...emptyChange(scene, calendar),
    posts: posts.map((after) => ({
      kind: 'insert',
      after,
      slots: capSlotsOf(after, scene.workspace.plan),
    })),
    newLabels: scene.labels,
    newMedia: scene.media,
    notifications: posts
      .filter(({ cell }) => isPending(cell))
      .flatMap((post) =>
        approvers.map((part) => ({
          id: ids.prefixed('ntf'),
          userId: scene.users[part].id,
          kind: 'approval_needed',
          message: `${post.user.name} changed a post that needs your approval.`,
          postId: post.databaseId,
        })),
      ),
  };
}

type Ending = Pick<Job, 'status' | 'failures' | 'progress'> & {
  sync: Pick<NetworkSync, 'status' | 'error'> | null;
};

const ARRIVED: Ending = {
  status: 'completed',
  progress: 1,
  failures: [],
  sync: { status: 'synced', error: null },
};
/** The next edit brought what this one had changed too: how that came out is what the post tells. */
const OVERTAKEN: Ending = { ...ARRIVED, sync: null };
const UNDER_WAY: Ending = {
  status: 'working',
  progress: 0,
  failures: [],
  sync: { status: 'pending', error: null },
};
const refusedBy = ({ id }: Post): Ending => {
  const error = 'The sandbox network says: The network does not accept the change (400, 422).';
  return {
    status: 'failed',
    progress: 0,
    failures: [{ id, code: 'NETWORK_REFUSED', message: error }],
    sync: { status: 'failed', error },
  };
};

interface Edit {
  readonly job: Job;
  readonly before: Post;
  readonly after: Post;
}

/** An edit of a published post's text, and how far it came. */
function editOf(before: Post, ending: Ending, { id, at }: { id: string; at: Date }): Edit {
  const { sync, ...rest } = ending;
  const endedAt = rest.status === 'working' ? null : new Date(at.getTime() + MINUTE);
  const job: Job = {
    ...rest,
    id,
    kind: 'network_edit',
    postId: before.databaseId,
    createdAt: at,
    finishedAt: endedAt,
  };
  const text = `${before.text} ✏️`;
  const networkSync: NetworkSync | null = sync && {
    ...sync,
    jobId: id,
    liveText: sync.status === 'synced' ? text : before.text,
    attemptedAt: endedAt,
  };
  return {
    job,
    before,
    after: { ...before, text, version: before.version + 1, updatedAt: at, networkSync },
  };
}
const MINUTE = 60_000;

const changeOf = (scene: Scene, calendar: Calendar, edits: readonly Edit[]): Change => ({
  ...emptyChange(scene, calendar),
  at: edits[0]!.job.createdAt,
  posts: edits.map(({ before, after }) => ({
    kind: 'update',
    before,
    after,
    changed: ['text'],
    slots: null,
  })),
  jobs: edits.map(({ job, after }) => ({ ...job, postVersion: after.version })),
});

const isOwnStatus = ({ cell, type, origin, network }: Post): boolean =>
  cell === 'published_posted' &&
  type === 'status' &&
  origin === 'service' &&
  (network === 'facebook' || network === 'linkedin');

/** The post whose network asks for a long pause: its edit is under way until that is over. */
export const slowPost = (posts: readonly Post[]): Post =>
  posts.find(({ account }) => account?.name === SLOW_ACCOUNT)!;

/**
 * Edits of published posts that came out in every way there is (D22), as two changes, one after the other: one arrived, one was
 * refused, one is under way, and one was overtaken by the next edit of its post. And an import that took most of its items.
 */
export function laterChanges(
  scene: Scene,
  posts: readonly Post[],
  calendar: Calendar,
  ids: Ids,
): Change[] {
  const [arrived, refused, overtaken] = posts.filter(isOwnStatus);
  const edit = (before: Post, ending: Ending, hours: number): Edit =>
    editOf(before, ending, { id: ids.prefixed('job'), at: calendar.hours(hours) });
  const passed = edit(overtaken!, OVERTAKEN, -3);
  const first = changeOf(scene, calendar, [
    edit(arrived!, ARRIVED, -3),
    edit(refused!, refusedBy(refused!), -3),
    edit(slowPost(posts), UNDER_WAY, -3),
    passed,
  ]);
  const next = changeOf(scene, calendar, [edit(passed.after, ARRIVED, -2.9)]);
  return [
    { ...first, jobs: [...first.jobs, { ...importJob(posts, calendar, ids), postVersion: null }] },
    next,
  ];
}

function importJob(posts: readonly Post[], calendar: Calendar, ids: Ids): Job {
  const [refused] = posts.filter(({ origin }) => origin === 'imported');
  return {
    id: ids.prefixed('job'),
    kind: 'import',
    status: 'completed',
    progress: 1,
    postId: null,
    createdAt: calendar.hours(-30),
    finishedAt: calendar.hours(-29.9),
    failures: [
      {
        id: refused!.id,
        code: 'MEDIA_NOT_FOUND',
        message: 'The picture of this item is not in the export.',
      },
    ],
  };
}
