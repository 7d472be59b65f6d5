import { createLog } from '../../src/log/log.js';
import { gatewayWith, type TestGateway, type TestResponse } from '../fixtures/gateway.js';

/** Secrets found, by where they were found. */
export interface FoundSecrets {
  readonly log: string[];
  readonly metrics: string[];
  readonly jobs: string[];
  readonly errors: string[];
}

/**
 * A whole gateway with log level `trace`. `close` fails if its log, metrics, jobs or errors contain
 * a secret.
 */
export interface AuditedGateway extends TestGateway {
  /**
   * Adds texts that must not occur in metrics, jobs or log lines (except in the requested path).
   * For API keys this holds without it, and errors must not contain them either.
   */
  addSecrets(...secrets: string[]): void;
  findSecrets(): Promise<FoundSecrets>;
}

/**
 * What the log writes instead of a key or token. It must not occur: no line should contain a key in
 * the first place.
 */
const REDACTED = '[redacted]';
const MAX_REPORTED = 3;

type GatewayOptions = Parameters<typeof gatewayWith>[0];

export async function openAuditedGateway(options: GatewayOptions = {}): Promise<AuditedGateway> {
  const logLines: string[] = [];
  const gateway = await gatewayWith({
    log: createLog('trace', (line) => logLines.push(line)),
    metricsPort: 0,
    ...options,
  });
  const { apiKeys } = gateway.records;
  const secrets = new Set<string>();
  const errors: string[] = [];
  const recordErrors =
    <Arguments extends unknown[], T extends TestResponse<unknown>>(
      send: (...args: Arguments) => Promise<T>,
    ) =>
    async (...args: Arguments): Promise<T> => {
      const response = await send(...args);
      errors.push(errorText(response));
      return response;
    };

  async function findSecrets(): Promise<FoundSecrets> {
    const all = [...apiKeys, ...secrets];
    return {
      log: [
        ...occurrences([...apiKeys, REDACTED], logLines),
        ...occurrences(secrets, logLines.map(withoutPath)),
      ],
      metrics: occurrences(all, await readMetrics(gateway)),
      jobs: occurrences(all, await readJobs(gateway)),
      errors: occurrences(apiKeys, errors),
    };
  }

  return {
    ...gateway,
    request: recordErrors(gateway.request),
    graphql: recordErrors(gateway.graphql),
    v1: recordErrors(gateway.v1),
    addSecrets: (...added) => added.forEach((secret) => secrets.add(secret)),
    findSecrets,
    async close() {
      try {
        expect(await findSecrets()).toEqual({ log: [], metrics: [], jobs: [], errors: [] });
      } finally {
        await gateway.close();
      }
    },
  };
}

/** At most three texts per secret. */
const occurrences = (secrets: Iterable<string>, texts: readonly string[]): string[] =>
  [...secrets].flatMap((secret) =>
    texts.filter((text) => text.includes(secret)).slice(0, MAX_REPORTED),
  );

/** @throws Error if the log line is not one JSON object */
function withoutPath(line: string): string {
  const { path: _path, ...rest } = JSON.parse(line) as { path?: string };
  return JSON.stringify(rest);
}

const readMetrics = async ({ metricsUrl }: TestGateway): Promise<string[]> =>
  (await (await fetch(`${metricsUrl}/metrics`)).text()).split('\n');

/** Rows of all jobs. */
async function readJobs({ db }: TestGateway): Promise<string[]> {
  const { rows } = await db.pool.query<{ row: string }>('SELECT j::text AS row FROM job j');
  return rows.map(({ row }) => row);
}

/** The headers and errors of a response; of an error response the whole body. */
function errorText({ status, headers, body }: TestResponse<unknown>): string {
  const { errors = null } = (body ?? {}) as { errors?: unknown };
  return JSON.stringify([...headers, status < 400 ? [errors, userErrorsIn(body)] : body]);
}

/** The `userErrors` of all mutations in a response. */
function userErrorsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'userErrors' ? [inner] : userErrorsIn(inner),
  );
}
