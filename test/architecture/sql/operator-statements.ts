import type { StatementGroup } from './statement-group.js';

/** Statements of operator commands, which are for the whole service. */
export const OPERATOR_STATEMENTS: readonly StatementGroup[] = [
  {
    reason: 'An operator lists or retries jobs.',
    distributed: 'The operator runs the command in each cell.',
    statements: ['jobs/job-admin LIST', 'jobs/job-admin RETRY', 'jobs/job-admin retry'],
  },
  {
    reason: 'An operator lists, creates or changes users and workspaces.',
    distributed: 'Users are changed in their own database, and workspaces in their cells.',
    statements: [
      'admin/admin-lists createAdminLists.users',
      'admin/admin-lists createAdminLists.workspaces.rows',
      'admin/admin-store createAdminStore.addUser',
      'admin/admin-store createAdminStore.restoreUser',
      'admin/admin-store createAdminStore.findUser',
      'admin/admin-store createAdminStore.hasWorkspace',
      'admin/admin-store createAdminStore.addWorkspace',
      'admin/admin-store createAdminStore.updateUser',
      'admin/admin-store createAdminStore.updateWorkspace',
      'admin/admin-store createAdminStore.addMember',
    ],
  },
  {
    reason: 'An operator deletes a user.',
    distributed:
      'The operator runs the command in each cell with workspaces of the user, and last in the database of users.',
    statements: [
      'admin/deletion-store createDeletionStore.user',
      'admin/deletion-store createDeletionStore.deleteUser',
      'admin/deletion-store createDeletionStore.deleteUser #2',
      'admin/deletion-store createDeletionStore.deleteUser #3',
      'admin/deletion-store createDeletionStore.deleteUser.deleted',
      'admin/deletion-store createDeletionStore.deleteUser #4',
      'admin/deletion-store deletePostsOfUser',
      'admin/admin-store createAdminStore.deleteWorkspacesAndKeys',
      'admin/admin-store createAdminStore.deleteWorkspacesAndKeys #3',
    ],
  },
  {
    reason: 'An operator checks or re-encrypts stored secrets.',
    distributed: 'The operator runs the command in each cell.',
    statements: [
      'credentials/sealed-values sealedCredentials.rows',
      'credentials/sealed-values sealedCredentials.replace',
      'credentials/sealed-values sealedWebhookSecrets.rows',
      'credentials/sealed-values sealedWebhookSecrets.replaceIn',
      'database-diagnostics SEALED_CREDENTIALS',
      'database-diagnostics SEALED_VALUES',
    ],
  },
  {
    reason: 'A backup contains the whole database.',
    distributed: 'Each database has its own backup.',
    statements: [
      'backup/backup-tables countRows',
      'backup/restore-backup readUserIds',
      'backup/restore-backup clearTables',
      'backup/restore-backup fillTables.copying',
      'backup/write-backup backupChunks',
    ],
  },
];
