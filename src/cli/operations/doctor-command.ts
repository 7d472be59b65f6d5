import type { Command } from 'commander';
import type { Finding } from '../../services/diagnostics/diagnostic-facts.js';
import type { Cli } from '../cli.js';
import { formatTable } from '../table.js';

export function addDoctorCommand(
  program: Command,
  { runDiagnostics, printResult, markFailed }: Cli,
): void {
  program
    .command('doctor')
    .description(
      'check settings, database, migrations, workers, queue, credentials, Redis and clocks; exits with 1 if a check fails',
    )
    .action(async () => {
      const findings = await runDiagnostics();
      const worst = (['fail', 'warn', 'ok'] as const).find((level) =>
        findings.some((finding) => finding.level === level),
      )!;
      printResult({ worst, findings: findings.map(presentFinding) }, formatFindings(findings));
      if (worst === 'fail') markFailed();
    });
}

const presentFinding = (finding: Finding) => ({
  level: finding.level,
  about: finding.subject,
  says: finding.message,
  advice: finding.advice,
});

/** One line per check, followed by advice if there is a problem. */
function formatFindings(findings: readonly Finding[]): string {
  const lines = formatTable(
    ['', 'check', 'result'],
    findings.map((finding) => [finding.level, finding.subject, finding.message]),
  ).split('\n');
  return lines
    .flatMap((line, row) => [
      line,
      ...(findings[row - 1]?.advice ? [`      → ${findings[row - 1]!.advice}`] : []),
    ])
    .join('\n');
}
