import { OPERATOR_STATEMENTS } from './operator-statements.js';
import type { StatementGroup } from './statement-group.js';

/** Statements that read or write rows of several workspaces, or rows that belong to none. */
export const ACROSS_WORKSPACES: readonly StatementGroup[] = [
  {
    reason:
      'Authentication finds a key by its hash, and the members that a change of grants concerns.',
    distributed:
      'Keys, users and memberships are in a database of their own. Processes cache grants.',
    statements: [
      'access/key-store GRANT',
      'access/key-store GRANTS',
      'access/key-store ENDED',
      'access/users-with-changed-grants createAffectedUsers.membersOf',
      'access/users-with-changed-grants createAffectedUsers.byWorkspacesAndKeys.owners',
      'admin/admin-store createAdminStore.deleteWorkspacesAndKeys #4',
      'admin/admin-store createAdminStore.addKey',
      'admin/admin-store createAdminStore.keys.rows',
      'admin/admin-store createAdminStore.replaceKey.isReplaced',
      'admin/admin-store createAdminStore.replaceKey.isReplaced #2',
      'admin/admin-store createAdminStore.revokeKey.key',
      'admin/admin-store createAdminStore.revokeKey',
    ],
  },
  {
    reason: 'A user is a member of several workspaces.',
    distributed:
      'Memberships are read from the database of users, and names of workspaces from their cells.',
    statements: [
      'workspaces/member-reader WORKSPACES_OF',
      'workspaces/member-reader MEMBERS_OF',
      'workspaces/member-reader createMemberReader.publicationSettingsOf.workspaces',
      'workspaces/member-reader createMemberReader.usersById.users',
    ],
  },
  {
    reason: 'Cached names of users are valid until the name or picture of any user changes.',
    distributed: 'Each user has a version, instead of one version for all users.',
    statements: [
      'posts/post-select-list JOINS.relation.columns',
      'posts/related-rows-cache RELATED_ROWS',
      'function renew_user_version',
    ],
  },
  {
    reason: 'Workers look for due posts and series.',
    distributed: 'The workers of a cell look only in its database.',
    statements: [
      'publishing/due-conditions DUE_POSTS',
      'publishing/due-posts MAY_BE_DUE',
      'publishing/due-posts CANDIDATES',
      'publishing/due-posts handOver',
      'publishing/due-series DUE_SERIES',
    ],
  },
  {
    reason: 'Workers claim, count and clean up jobs.',
    distributed: 'The workers of a cell claim only the jobs in its database.',
    statements: [
      'jobs/job-claims CLAIM',
      'jobs/job-queue SCHEDULE_PURGE',
      'jobs/job-store failInterruptedImports',
      'jobs/open-job-counts OPEN_JOBS',
    ],
  },
  {
    reason: 'Concurrent calls share a statement, whichever workspaces they are for.',
    distributed: 'All calls that share a statement are for the database of the cell.',
    statements: [
      'events/insert-events insertEventsOfPosts',
      'jobs/job-outcomes settle',
      'networks/sandbox-faults FAULTS',
      'publishing/publication-attempts start',
      'publishing/publication-attempts arm',
      'changes/post-deletion deletePostRows',
      'changes/post-deletion deleteRows.rows',
      'changes/shared-updates SEARCH_ROWS.effects.search_row',
      'changes/update-together updateStatement.queries.target',
      'changes/idempotency-store OUTCOMES.ready',
      'changes/update-together updateStatement.queries.history',
      'changes/update-together updateStatement.queries.body',
      'changes/update-together updateStatement',
      'publishing/published-posts SHAPE.condition',
      'publishing/published-posts SHAPE.ready',
      'publishing/published-posts SHAPE.effects.results',
      'publishing/sandbox-deliveries GUARANTEES',
      'publishing/sandbox-deliveries TAKE',
    ],
  },
  {
    reason: 'The rate limit of a network applies to the whole service.',
    distributed: 'Each cell gets a share of the rate, or the buckets move to Redis.',
    statements: [
      'networks/network-edit-store lockRateBucket',
      'networks/network-edit-store lockRateBucket #2',
      'networks/network-edit-store reserveAttempt',
      'networks/network-edit-store createNetworkEditStore.reserveSlot',
    ],
  },
  {
    reason: 'A process has event streams of several workspaces.',
    distributed: 'All streams of a process are for the database of its cell.',
    statements: ['events/events-statement CHANGED_WORKSPACES'],
  },
  {
    reason: 'Workers look for webhooks with new events or due messages.',
    distributed: 'The workers of a cell look only in its database.',
    statements: [
      'webhooks/event-dispatch WAITING',
      'webhooks/delivery-queue CLAIM',
      'webhooks/oldest-delivery OLDEST',
    ],
  },
  {
    reason: 'Rows are deleted when they expire.',
    distributed:
      'Each cell deletes its own rows. Tables that grow fast become partitioned by time, as events are.',
    statements: [
      'jobs/purge-store DELETE_EXPIRED.idempotencyRecords',
      'jobs/purge-store DELETE_EXPIRED.deletedPosts',
      'jobs/purge-store DELETE_EXPIRED.finishedJobs',
      'jobs/purge-store DELETE_EXPIRED.unusedMedia',
      'jobs/purge-store DELETE_EXPIRED.expiredUploads',
      'jobs/purge-store DELETE_EXPIRED.webhookDeliveries',
      'events/event-partitions DELETE_DEFAULT',
      'events/event-partitions createEventPartitions.drop.text',
      'function add_event_partitions',
    ],
  },
  {
    reason: 'Files that no record refers to are deleted from the storage.',
    distributed: 'Each cell has a list of its own files, and a storage or folder of its own.',
    statements: [
      'media/media-file-store UNUSED_KEYS',
      'media/media-file-store createMediaFileStore.forgetKeys',
      'media/media-file-store createMediaFileStore.reserveKey',
      'media/media-writes releaseKey',
      'function remember_unused_media_file',
    ],
  },
  {
    reason: 'Publication is paused for the whole service, and a restored database is recognized.',
    distributed: 'Each cell has its own pause. An operator pauses all cells one after another.',
    statements: [
      'publishing/publishing-pauses NOTICE_RESTORED_DUMP',
      'publishing/publishing-pauses STAY_ALIVE',
      'publishing/publishing-pauses OPEN_PAUSES',
      'publishing/publishing-pauses PAUSE',
      'publishing/publishing-pauses RESUME',
      'readiness PUBLISHING',
      'publishing/publication-subject createSubjectReader.text',
      'posts/post-select-list RELATED_EXPRESSIONS.publicationHold.sql',
    ],
  },
  {
    reason: 'The positions of events contain the identity of the database.',
    distributed:
      'Positions stay valid while the workspace stays in its cell. Clients read the current state after a move, as after a restore.',
    statements: [
      'events/event-store createEventStore.horizon',
      'backup/restore-backup renewIdentity',
    ],
  },
  {
    reason: 'Triggers keep counts and versions for the workspaces of the changed rows.',
    distributed: 'Counts and versions are in the cell of their workspace.',
    statements: [
      'function count_posts',
      'function count_posts #2',
      'function delete_post_counts',
      'function delete_post_counts #2',
      'function fold_post_counts',
      'function fold_post_counts #2',
      'function recount_posts',
      'function recount_posts #2',
      'function renew_related_version',
    ],
  },
  ...OPERATOR_STATEMENTS,
];
