import type { Command } from 'commander';
import type { Finding } from '../../services/diagnostics.js';
import type { Cli } from '../cli.js';
import { table } from '../table.js';

export function addDoctorCommand(program: Command, { checkUp, say, fail }: Cli): void {
  program
    .command('doctor')
    .description(
      'look at settings, database, migrations, workers, queue, credentials, Redis and clocks; exit code 1 where one fails',
    )
    .action(async () => {
      const findings = await checkUp();
      const worst = (['fail', 'warn', 'ok'] as const).find((level) =>
        findings.some((one) => one.level === level),
      )!;
      say({ worst, findings }, listOf(findings));
      if (worst === 'fail') fail();
    });
}

/** A line for each part, and below it what to do. */
function listOf(findings: readonly Finding[]): string {
  const lines = table(
    ['', 'part', 'how it stands'],
    findings.map(({ level, about, says }) => [level, about, says]),
  ).split('\n');
  return lines
    .flatMap((line, row) => [
      line,
      ...(findings[row - 1]?.advice ? [`      → ${findings[row - 1]!.advice}`] : []),
    ])
    .join('\n');
}
