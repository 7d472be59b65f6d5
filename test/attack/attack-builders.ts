import type { ErrorCode } from '../../src/domain/errors.js';

/** A request to /graphql. */
export interface AttackRequest {
  readonly method?: string;
  /** Query string, with the question mark. */
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An attack described by a tool or a guide, and the error that rejects it. */
export interface KnownAttack {
  /** As in the source. */
  readonly name: string;
  readonly source: 'graphql-cop' | 'OWASP';
  /** 200 if the operation is valid and a resolver rejects it. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Codes of further errors in the same response. */
  readonly otherCodes: readonly ErrorCode[];
  readonly request: AttackRequest;
}

/** With this `Accept` type, operations rejected before they run get status 400. */
export const JSON_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/graphql-response+json',
};
/** Sends an operation as JSON. */
export const operation = (query: string, variables?: object): AttackRequest => ({
  headers: JSON_HEADERS,
  body: JSON.stringify({ query, variables }),
});
/** Joins texts with spaces. */
export const repeat = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
export const rejectedWith =
  (source: KnownAttack['source'], code: ErrorCode, status = 400) =>
  (name: string, request: AttackRequest, ...otherCodes: readonly ErrorCode[]): KnownAttack => ({
    name,
    source,
    status,
    code,
    otherCodes,
    request,
  });
