import { POSTS_ALONE, type Change } from '../domain/change.js';
import type { Job } from '../domain/job.js';
import type { NetworkSync, Post } from '../domain/post.js';
import { capSlotsOf } from '../domain/publications.js';
import { isPending } from '../domain/states.js';
import type { Ids } from '../services/ports.js';
import type { Calendar } from './calendar.js';
import { MAIN, OTHER } from './cast.js';
import type { Scene } from './scene.js';

const emptyChange = ({ workspace, users }: Scene, { now }: Calendar): Change => ({
  ...POSTS_ALONE, workspaceId: workspace.id, userId: users.owner.id, at: now, posts: [],
});

/** Everything a scene holds, made in one transaction; who may approve is told what awaits approval. */
export function firstChange(scene: Scene, posts: readonly Post[], calendar: Calendar, ids: Ids): Change {
  const plot = scene.workspace.requiresApproval ? OTHER : MAIN;
  const approvers = [plot.owner, ...plot.members.filter(({ role }) => role === 'admin').map(({ part }) => part)];
  return {
    ...emptyChange(scene, calendar),
    posts: posts.map((after) => ({ kind: 'insert', after, slots: capSlotsOf(after, scene.workspace.plan) })),
    newLabels: scene.labels,
    newMedia: scene.media,
    notifications: posts.filter(({ cell }) => isPending(cell)).flatMap((post) => approvers.map((part) => ({
      id: ids.prefixed('ntf'), userId: scene.users[part].id, kind: 'approval_needed', message: `${post.user.name} changed a post that needs your approval.`, postId: post.databaseId,
    }))),
  };
}

type Ending = Pick<Job, 'status' | 'failures' | 'progress'> & { sync: Pick<NetworkSync, 'status' | 'error'> };

/** How the edits of published posts came out on their networks (D22). */
const ENDINGS: readonly ((post: Post) => Ending)[] = [
  () => ({ status: 'completed', progress: 1, failures: [], sync: { status: 'synced', error: null } }),
  () => ({ status: 'working', progress: 0, failures: [], sync: { status: 'pending', error: null } }),
  ({ id }) => {
    const error = 'The network refused the change: the post is older than it lets anyone edit.';
    return { status: 'failed', progress: 1, failures: [{ id, code: 'RULE_VIOLATION', message: error }], sync: { status: 'failed', error } };
  },
  () => ({ status: 'completed', progress: 1, failures: [], sync: { status: 'superseded', error: null } }),
];

/** Edits of published posts in every stage, and an import that took most of its items. */
export function laterChange(scene: Scene, posts: readonly Post[], calendar: Calendar, ids: Ids): Change {
  const at = calendar.hours(-3);
  const edited = posts.filter(({ cell, type, network, origin }) => cell === 'published_posted' && type === 'status' && origin === 'service' && (network === 'facebook' || network === 'linkedin'));
  const edits = ENDINGS.map((ending, n) => {
    const before = edited[n]!;
    const { sync, ...rest } = ending(before);
    const job: Job = { ...rest, id: ids.prefixed('job'), kind: 'network_edit', postId: before.databaseId, createdAt: at, finishedAt: rest.status === 'working' ? null : calendar.hours(-2.9) };
    const text = `${before.text} ✏️`;
    const networkSync: NetworkSync = { ...sync, jobId: job.id, liveText: sync.status === 'synced' ? text : before.text, attemptedAt: job.finishedAt };
    return { job, before, after: { ...before, text, version: before.version + 1, updatedAt: at, networkSync } };
  });
  const [refused] = posts.filter(({ origin }) => origin === 'imported');
  const imported: Job = {
    id: ids.prefixed('job'), kind: 'import', status: 'completed', progress: 1, postId: null, createdAt: calendar.hours(-30), finishedAt: calendar.hours(-29.9),
    failures: [{ id: refused!.id, code: 'MEDIA_NOT_FOUND', message: 'The picture of this item is not in the export.' }],
  };
  return {
    ...emptyChange(scene, calendar), at,
    posts: edits.map(({ before, after }) => ({ kind: 'update', before, after, changed: ['text'], slots: null })),
    jobs: [...edits.map(({ job, after }) => ({ ...job, postVersion: after.version })), { ...imported, postVersion: null }],
  };
}
