import { clockFinding } from './clock-finding.js';
import { credentialsFinding, databaseFinding, migrationsFinding } from './database-findings.js';
import type { DiagnosticFacts, Finding } from '../../domain/diagnostics/diagnostic-facts.js';
import { jobFindings } from './job-findings.js';
import { publishingFinding } from './publishing-finding.js';

const JOB_SUBJECTS = ['workers', 'queue', 'failed jobs'];
/** The subjects that only the database tells. */
const DATABASE_SUBJECTS = ['migrations', ...JOB_SUBJECTS, 'publishing', 'credentials', 'clock'];

/** Findings for checks that could not be made, so that they do not count as passed. */
const notChecked = (subjects: readonly string[], reason: string): Finding[] =>
  subjects.map((subject) => ({ status: 'unknown', subject, message: `not checked: ${reason}` }));

/** The findings if the settings are invalid: they name the dependencies. */
export const diagnoseSettings = (problems: readonly string[]): Finding[] => [
  ...problems.map((message): Finding => ({
    status: 'fail',
    subject: 'settings',
    message,
    advice: 'Correct it. .env.example lists every setting.',
  })),
  ...notChecked(['database', ...DATABASE_SUBJECTS, 'Redis'], 'the settings are invalid'),
];

/** One finding for each subject, ok or not. */
export function diagnose({ database, redis }: DiagnosticFacts): Finding[] {
  if (typeof database === 'string')
    return [
      {
        status: 'fail',
        subject: 'database',
        message: database,
        advice: 'Start the database, or correct DATABASE_URL or DATA_DIR.',
      },
      ...notChecked(DATABASE_SUBJECTS, 'the database cannot be used'),
      redisFinding(redis),
    ];
  const { migrations, jobs, publishing, unreadableCredentials } = database;
  return [
    databaseFinding(database),
    ...(typeof migrations === 'string'
      ? notChecked(['migrations'], migrations)
      : [migrationsFinding(migrations)]),
    ...(typeof jobs === 'string' ? notChecked(JOB_SUBJECTS, jobs) : jobFindings(jobs)),
    ...(typeof publishing === 'string'
      ? notChecked(['publishing'], publishing)
      : [publishingFinding(publishing, database.clock.received)]),
    ...(typeof unreadableCredentials === 'string'
      ? notChecked(['credentials'], unreadableCredentials)
      : [credentialsFinding(unreadableCredentials)]),
    redisFinding(redis),
    clockFinding(database, redis),
  ];
}

function redisFinding(redis: DiagnosticFacts['redis']): Finding {
  const subject = 'Redis';
  if (redis === null)
    return {
      status: 'ok',
      subject,
      message:
        'not configured: each process counts requests separately, which is correct for a single process',
    };
  if (typeof redis === 'string')
    return {
      status: 'fail',
      subject,
      message: redis,
      advice:
        'Start Redis, or correct REDIS_URL. Until then each process counts requests separately.',
    };
  return {
    status: 'ok',
    subject,
    message: `responds in ${Math.ceil(redis.clock.received - redis.clock.sent)} ms`,
  };
}
