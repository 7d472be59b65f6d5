import { randomUUID } from 'node:crypto';
import type { anOperator } from '../../fixtures/operator.js';

/** Runs a command with --json and returns its result. */
type RunJson = ReturnType<typeof anOperator>['json'];

/** Splits options without spaces in their values, such as '--role editor --post-actions'. */
export const words = (options: string): string[] => options.split(' ').filter(Boolean);

/** Shorthands for the commands that create records, with further options of the command. */
export const adminRecords = (json: RunJson) => ({
  createUser: (name: string, email = `${randomUUID()}@example.com`, options = '') =>
    json('users', 'create', '--name', name, '--email', email, ...words(options)),
  createWorkspace: (name: string, owner: string, options = '') =>
    json('workspaces', 'create', '--name', name, '--owner', owner, ...words(options)),
  addMember: (workspace: string, user: string, options: string) =>
    json('members', 'add', '--workspace', workspace, '--user', user, ...words(options)),
  createKey: (user: string, name: string, options: string) =>
    json('keys', 'create', '--user', user, '--name', name, ...words(options)),
});
