import type { CorpusRequest } from './both-servers.js';

/** The media type whose errors have a status of their own. */
export const STRICT = 'application/graphql-response+json';
/** A value that a request does not have. */
export const ABSENT = Symbol('absent');
/** A query that succeeds, and is compiled. */
export const COUNT = '{ posts(first: 2) { totalCount } }';

/** At most this much of a value is in the name of a request. */
const NAMED_CHARACTERS = 80;
/** A value in the name of a request. */
export const show = (value: unknown): string =>
  value === ABSENT ? 'absent' : (JSON.stringify(value) ?? 'undefined').slice(0, NAMED_CHARACTERS);

/** An object with one field, or without it. */
export const withField = (name: string, value: unknown): Readonly<Record<string, unknown>> =>
  value === ABSENT ? {} : { [name]: value };

/** Each request for both media types: they differ in the status of errors. */
export const forBothTypes = (requests: readonly CorpusRequest[]): CorpusRequest[] =>
  requests.flatMap((request) => [
    request,
    {
      ...request,
      name: `${request.name}, strict`,
      headers: { accept: STRICT, ...request.headers },
    },
  ]);
