import type { Command } from 'commander';

const COMMAND_GROUPS = {
  users: 'manage users',
  workspaces: 'manage workspaces',
  members: 'manage the members of a workspace',
  accounts: 'manage social accounts',
  webhooks: 'manage the webhooks of a workspace',
} as const;

/** Returns the command group of this name, and creates it on first use. */
export const commandGroup = (program: Command, name: keyof typeof COMMAND_GROUPS): Command =>
  program.commands.find((command) => command.name() === name) ??
  program.command(name).description(COMMAND_GROUPS[name]);
