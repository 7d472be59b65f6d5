import { EMPTY_CHANGE, type Change, type PostWrite } from '../../../src/domain/changes/change.js';
import { SERVICE } from '../../../src/domain/access/viewer.js';
import { eventsOf } from '../../../src/domain/events/events-of.js';
import type { Job } from '../../../src/domain/jobs/job.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import { TRANSITIONS } from '../../../src/domain/posts/transitions.js';
import { aPost } from '../../fixtures/posts.js';

const changeOf = (posts: readonly PostWrite[], more: Partial<Change> = {}): Change => ({
  ...EMPTY_CHANGE,
  workspaceId: 'wks_1',
  actor: SERVICE,
  at: new Date(0),
  posts,
  ...more,
});
const update = (from: StoredState, to: StoredState): PostWrite & { kind: 'update' } => ({
  kind: 'update',
  before: aPost({ storedState: from, version: 1 }),
  after: aPost({ storedState: to, version: 2 }),
  changed: from === to ? ['text'] : ['storedState'],
  slots: null,
});
const insert = (storedState: StoredState): PostWrite & { kind: 'insert' } => ({
  kind: 'insert',
  after: aPost({ storedState }),
  slots: [],
});
const typesOf = (write: PostWrite): string[] => eventsOf(changeOf([write])).map(({ type }) => type);

test.each<[StoredState, StoredState, string]>([
  ['scheduled', 'scheduled', 'post.updated'],
  ['draft_dated', 'scheduled', 'post.scheduled'],
  ['draft_private_undated', 'scheduled', 'post.scheduled'],
  ['failed', 'scheduled', 'post.scheduled'],
  ['scheduled_declined', 'scheduled', 'post.scheduled'],
  ['recycling_failed', 'recycling_active', 'post.scheduled'],
  ['draft_dated', 'recurring', 'post.scheduled'],
  ['draft_dated', 'draft_undated', 'post.updated'],
  ['draft_public_dated', 'draft_private_dated', 'post.updated'],
  ['scheduled', 'draft_dated', 'post.unscheduled'],
  ['scheduled_pending', 'draft_undated', 'post.unscheduled'],
  ['recurring', 'draft_dated', 'post.unscheduled'],
  ['draft_dated', 'scheduled_pending', 'post.approval_requested'],
  ['scheduled', 'scheduled_pending', 'post.approval_requested'],
  ['scheduled_declined', 'scheduled_pending', 'post.approval_requested'],
  ['scheduled_pending', 'scheduled_approved', 'post.approved'],
  ['recycling_pending', 'recycling_active', 'post.approved'],
  ['scheduled_pending', 'scheduled_declined', 'post.declined'],
  ['scheduled', 'published_posted', 'post.published'],
  ['scheduled_approved', 'failed', 'post.failed'],
  ['recycling_active', 'recycling_failed', 'post.failed'],
  ['published_posted', 'published_deleted', 'post.unpublished'],
  ['published_hidden', 'published_posted', 'post.updated'],
  ['scheduled', 'scheduled_reauth', 'post.updated'],
  ['scheduled_reauth', 'scheduled_pending', 'post.updated'],
  ['scheduled_reauth', 'scheduled', 'post.updated'],
  ['recycling_active', 'recycling_expired', 'post.updated'],
  ['scheduled', 'recurring', 'post.updated'],
])('an update from %s to %s is %s', (from, to, type) => {
  expect(typesOf(update(from, to))).toEqual([type]);
});

test('every transition of the table is exactly one event', () => {
  for (const { from, to } of TRANSITIONS) expect(typesOf(update(from, to))).toHaveLength(1);
});

test.each<[StoredState, string[]]>([
  ['draft_undated', ['post.created']],
  ['published_posted', ['post.created']],
  ['scheduled', ['post.created', 'post.scheduled']],
  ['recurring', ['post.created', 'post.scheduled']],
  ['scheduled_pending', ['post.created', 'post.approval_requested']],
])('a new post in state %s is %s', (storedState, types) => {
  expect(typesOf(insert(storedState))).toEqual(types);
});

test('a write can name the event that its states do not imply', () => {
  expect(typesOf({ ...update('scheduled', 'failed'), event: 'post.missed' })).toEqual([
    'post.missed',
  ]);
  expect(typesOf({ ...insert('published_posted'), event: 'post.recycled' })).toEqual([
    'post.created',
    'post.recycled',
  ]);
});

test('an event names post, version, states and fields as the APIs present them, and no values', () => {
  const { before, after, ...write } = update('scheduled', 'scheduled_pending');
  const changed = ['text', 'media', 'hasMedia', 'ownFields', 'parentId', 'storedState'] as const;
  expect(eventsOf(changeOf([{ ...write, before, after, changed }]))).toEqual([
    {
      type: 'post.approval_requested',
      postId: after.databaseId,
      documentId: after.id,
      accountId: 'acc_1',
      recordId: null,
      version: 2,
      changed: ['text', 'media', 'parent', 'state'],
      before: 'scheduled',
      after: 'scheduled_pending',
      visibleTo: null,
    },
  ]);
});

test('only the creator can see what happens to a private draft, until it is one no longer', () => {
  const deletion: PostWrite = {
    kind: 'delete',
    before: aPost({ storedState: 'draft_private_dated' }),
  };
  const visibleTo = (write: PostWrite) =>
    eventsOf(changeOf([write])).map((event) => event.visibleTo);
  expect(visibleTo(insert('draft_private_undated'))).toEqual(['usr_1']);
  expect(visibleTo(update('draft_private_undated', 'draft_private_dated'))).toEqual(['usr_1']);
  expect(visibleTo(update('draft_dated', 'draft_private_dated'))).toEqual(['usr_1']);
  expect(visibleTo(update('draft_private_dated', 'draft_dated'))).toEqual([null]);
  expect(visibleTo(deletion)).toEqual(['usr_1']);
});

test('new labels, and jobs that are finished when they are saved, are events; deliveries and purges are not', () => {
  const write = update('published_posted', 'published_posted');
  const job: Job & { postVersion: number | null } = {
    id: 'job_1',
    kind: 'network_edit',
    status: 'completed',
    progress: 1,
    failures: [],
    result: null,
    postId: write.after.databaseId,
    postVersion: 2,
    createdAt: new Date(0),
    finishedAt: new Date(0),
  };
  const events = eventsOf(
    changeOf([write], {
      newLabels: [{ id: 'lbl_1', name: 'New', color: '#000000' }],
      jobs: [
        job,
        { ...job, id: 'job_2', status: 'working', finishedAt: null },
        { ...job, id: 'job_3', kind: 'notification' },
      ],
    }),
  );
  expect(events.map(({ type, recordId, documentId }) => [type, recordId, documentId])).toEqual([
    ['label.changed', 'lbl_1', null],
    ['post.updated', null, write.after.id],
    ['job.finished', 'job_1', write.after.id],
  ]);
});

test('a label is an event that members can see, once anything but a private draft has it', () => {
  const label = { id: 'lbl_1', name: 'New', color: '#000000' };
  const withLabel = (write: PostWrite): PostWrite =>
    write.kind === 'delete' ? write : { ...write, after: { ...write.after, labels: [label] } };
  const labelsOf = (newLabels: Change['newLabels'], ...posts: PostWrite[]) =>
    eventsOf(changeOf(posts.map(withLabel), { newLabels }))
      .filter(({ type }) => type === 'label.changed')
      .map(({ recordId, visibleTo }) => [recordId, visibleTo]);
  const hidden = [['lbl_1', 'usr_1']];
  const shown = [['lbl_1', null]];
  expect(labelsOf([label], insert('draft_private_undated'))).toEqual(hidden);
  expect(labelsOf([label], update('draft_dated', 'draft_private_dated'))).toEqual(hidden);
  expect(labelsOf([label], insert('draft_private_undated'), insert('scheduled'))).toEqual(shown);
  expect(labelsOf([label], update('draft_private_dated', 'draft_dated'))).toEqual(shown);
  expect(labelsOf([], update('draft_private_dated', 'draft_dated'))).toEqual(shown);
  expect(labelsOf([], update('draft_private_dated', 'draft_private_dated'))).toEqual([]);
  expect(labelsOf([], update('draft_dated', 'draft_dated'))).toEqual([]);
});
