import { clockFinding } from './clock-finding.js';
import { credentialsFinding, databaseFinding, migrationsFinding } from './database-findings.js';
import type { DiagnosticFacts, Finding } from './diagnostic-facts.js';
import { jobFindings } from './job-findings.js';

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
      redisFinding(redis),
    ];
  return [
    databaseFinding(database),
    migrationsFinding(database.migrations),
    ...(database.jobs ? jobFindings(database.jobs) : []),
    credentialsFinding(database.unreadableCredentials),
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
