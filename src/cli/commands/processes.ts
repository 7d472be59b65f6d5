import type { Command } from 'commander';
import type { Finding } from '../../domain/diagnostics/diagnostic-facts.js';
import type { Cli } from '../cli-context.js';
import { formatTable } from '../terminal.js';

/** Adds `serve` and `worker`, which start a gateway or a worker in this process. */
export function addStartCommands(program: Command, { start }: Cli): void {
  program
    .command('serve')
    .description('run a gateway, as `npm start` does, until Ctrl-C or SIGTERM')
    .action(() => start('gateway'));
  program
    .command('worker')
    .description('run a worker, as `npm run worker` does, until Ctrl-C or SIGTERM')
    .action(() => start('worker'));
}

/** Adds `doctor`. */
export function addDoctorCommand(
  program: Command,
  { runDiagnostics, printResult, markFailed }: Cli,
): void {
  program
    .command('doctor')
    .description(
      'check the settings, database, migrations, workers, job queue, publication, credentials, Redis, clocks, media storage and media URL. The exit code is 1 if a check fails or cannot be performed',
    )
    .action(async () => {
      const findings = await runDiagnostics();
      const status = worstStatus(findings);
      printResult({ status, findings }, formatFindings(findings));
      if (status === 'fail' || status === 'unknown') markFailed();
    });
}

const worstStatus = (findings: readonly Finding[]): Finding['status'] =>
  (['fail', 'unknown', 'warn'] as const).find((candidate) =>
    findings.some(({ status }) => status === candidate),
  ) ?? 'ok';

/** One line per check, followed by advice if there is a problem. */
function formatFindings(findings: readonly Finding[]): string {
  const lines = formatTable(
    ['', 'check', 'result'],
    findings.map((finding) => [finding.status, finding.subject, finding.message]),
  ).split('\n');
  return lines
    .flatMap((line, row) => [
      line,
      ...(findings[row - 1]?.advice ? [`      → ${findings[row - 1]!.advice}`] : []),
    ])
    .join('\n');
}
