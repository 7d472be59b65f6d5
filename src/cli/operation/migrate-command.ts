import type { Command } from 'commander';
import type { Cli } from '../cli.js';
import { minuteOf, table } from '../table.js';

const WANTED = ['applied', 'edited'];

export function addMigrateCommand(program: Command, { openAsIs, say, fail }: Cli): void {
  program.command('migrate').description('bring the database’s tables to this release, as every start does').option('--status', 'show how they stand, change nothing; exit code 1 where something is to be done')
    .action(({ status = false }: { status?: boolean }) => openAsIs(async ({ migrations }) => {
      const applied = status ? [] : await migrations.apply();
      const states = await migrations.states();
      const list = table(['migration', 'stands', 'applied at'], states.map(({ name, standing, appliedAt }) => [name, standing, minuteOf(appliedAt)]));
      if (status) say(states, list);
      else say({ applied }, applied.length === 0 ? 'Nothing was to be done.' : `Applied ${applied.join(', ')}.`);
      if (states.some(({ standing }) => !WANTED.includes(standing))) fail();
    }));
}
