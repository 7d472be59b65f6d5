import { capSlotsOf } from '../domain/caps/daily-caps.js';
import { EMPTY_CHANGE, type Change } from '../domain/changes/change.js';
import { SERVICE } from '../domain/access/viewer.js';
import type { Job } from '../domain/jobs/job.js';
import type { NetworkSync, Post } from '../domain/posts/post.js';
import { isPending } from '../domain/posts/states.js';
import type { DemoContext } from './demo-context.js';
import {
  MAIN_WORKSPACE,
  OTHER_WORKSPACE,
  SLOW_ACCOUNT,
  type DemoWorkspace,
} from './demo-workspaces.js';

const createEmptyChange = ({ workspace, users }: DemoWorkspace, at: Date): Change => ({
  ...EMPTY_CHANGE,
  workspaceId: workspace.id,
  actor: { ...SERVICE, userId: users.owner.id },
  at,
  posts: [],
});

/**
 * Inserts all records of a workspace in one transaction, and notifies the approvers of pending
 * posts.
 */
export function createInsertChange(
  demoWorkspace: DemoWorkspace,
  posts: readonly Post[],
  { dates, ids }: DemoContext,
): Change {
  const definition = demoWorkspace.workspace.requiresApproval ? OTHER_WORKSPACE : MAIN_WORKSPACE;
  const approvers = [
    definition.owner,
    ...definition.members.filter(({ role }) => role === 'admin').map(({ user }) => user),
  ];
  return {
    ...createEmptyChange(demoWorkspace, dates.now),
    posts: posts.map((after) => ({
      kind: 'insert',
      after,
      slots: capSlotsOf(after, demoWorkspace.workspace),
    })),
    newLabels: demoWorkspace.labels,
    notifications: posts
      .filter(({ storedState }) => isPending(storedState))
      .flatMap((post) =>
        approvers.map((user) => ({
          id: ids.prefixed('ntf'),
          userId: demoWorkspace.users[user].id,
          kind: 'approval_needed',
          message: `${post.user.name} asks for your approval of a post.`,
          postId: post.databaseId,
        })),
      ),
  };
}

type EditOutcome = Pick<Job, 'status' | 'failures' | 'progress'> & {
  sync: Pick<NetworkSync, 'status' | 'error'> | null;
};

const SYNCED: EditOutcome = {
  status: 'completed',
  progress: 1,
  failures: [],
  sync: { status: 'synced', error: null },
};
/** The next edit sent the same fields again, so that the post shows the status of that edit. */
const SUPERSEDED: EditOutcome = { ...SYNCED, sync: null };
const PENDING: EditOutcome = {
  status: 'working',
  progress: 0,
  failures: [],
  sync: { status: 'pending', error: null },
};
const createRejection = ({ id }: Post): EditOutcome => {
  const error = 'Sandbox network: The network rejected the change.';
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

/** Edits the text of a published post. */
function createEdit(
  before: Post,
  outcome: EditOutcome,
  { id, at }: { id: string; at: Date },
): Edit {
  const { sync, ...jobFields } = outcome;
  const finishedAt = jobFields.status === 'working' ? null : new Date(at.getTime() + MINUTE_MS);
  const job: Job = {
    ...jobFields,
    result: null,
    id,
    kind: 'network_edit',
    postId: before.databaseId,
    createdAt: at,
    finishedAt,
  };
  const text = `${before.text} ✏️`;
  const networkSync: NetworkSync | null = sync && {
    ...sync,
    jobId: id,
    liveText: sync.status === 'synced' ? text : before.text,
    attemptedAt: finishedAt,
  };
  return {
    job,
    before,
    after: { ...before, text, version: before.version + 1, updatedAt: at, networkSync },
  };
}
const MINUTE_MS = 60_000;

const createUpdateChange = (demoWorkspace: DemoWorkspace, edits: readonly Edit[]): Change => ({
  ...createEmptyChange(demoWorkspace, edits[0]!.job.createdAt),
  posts: edits.map(({ before, after }) => ({
    kind: 'update',
    before,
    after,
    changed: ['text'],
    slots: null,
  })),
  jobs: edits.map(({ job, after }) => ({ ...job, postVersion: after.version })),
});

const isPublishedServiceStatus = ({ storedState, type, origin, network }: Post): boolean =>
  storedState === 'published_posted' &&
  type === 'status' &&
  origin === 'service' &&
  (network === 'facebook' || network === 'linkedin');

/** Finds the post whose network is rate limited: its edit stays pending until the limit expires. */
export const findSlowPost = (posts: readonly Post[]): Post =>
  posts.find(({ account }) => account?.name === SLOW_ACCOUNT)!;

/**
 * Edits of published posts with every outcome (D22), as two successive changes: one synced, one
 * rejected, one pending, and one superseded by the next edit of its post. Includes an import of
 * which one item failed.
 */
export function createEditChanges(
  demoWorkspace: DemoWorkspace,
  posts: readonly Post[],
  { dates, ids }: DemoContext,
): Change[] {
  const [synced, rejected, superseded] = posts.filter(isPublishedServiceStatus);
  const edit = (before: Post, outcome: EditOutcome, hours: number): Edit =>
    createEdit(before, outcome, { id: ids.prefixed('job'), at: dates.hoursFromNow(hours) });
  const supersededEdit = edit(superseded!, SUPERSEDED, -3);
  const first = createUpdateChange(demoWorkspace, [
    edit(synced!, SYNCED, -3),
    edit(rejected!, createRejection(rejected!), -3),
    edit(findSlowPost(posts), PENDING, -3),
    supersededEdit,
  ]);
  const next = createUpdateChange(demoWorkspace, [edit(supersededEdit.after, SYNCED, -2.9)]);
  return [
    {
      ...first,
      jobs: [...first.jobs, { ...createImportJob(posts, { dates, ids }), postVersion: null }],
    },
    next,
  ];
}

function createImportJob(
  posts: readonly Post[],
  { dates, ids }: Pick<DemoContext, 'dates' | 'ids'>,
): Job {
  const [importedPost] = posts.filter(({ origin }) => origin === 'imported');
  return {
    id: ids.prefixed('job'),
    kind: 'import',
    status: 'completed',
    progress: 1,
    result: null,
    postId: null,
    createdAt: dates.hoursFromNow(-30),
    finishedAt: dates.hoursFromNow(-29.9),
    failures: [
      {
        id: importedPost!.id,
        code: 'MEDIA_NOT_FOUND',
        message: 'The picture of this item is not in the export.',
      },
    ],
  };
}
