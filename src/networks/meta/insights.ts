import { listAt, numberAt, textAt } from '../http-client/json-path.js';
import type { ErrorMapping } from '../http-client/network-response.js';
import { graphError, graphErrors, isNoSuchObject } from './graph-api.js';

/** Meta’s APIs have a call for each post. */
export const INSIGHTS_PACE = { maxPosts: 10, intervalMs: 60_000 } as const;

/** The numbers of insights by the name of the metric, without those that they do not have. */
export const insightsOf = (insights: unknown): ReadonlyMap<string, number> =>
  new Map(
    listAt(insights, 'data').flatMap((metric) => {
      const name = textAt(metric, 'name');
      const value =
        numberAt(metric, 'values', 0, 'value') ?? numberAt(metric, 'total_value', 'value');
      return name === null || value === null ? [] : [[name, value] as const];
    }),
  );

/** Code of media that were not found. */
const NOT_FOUND = 24;

/** Errors of reading posts: one that is not there is a result. */
export const INSIGHTS_ERRORS: ErrorMapping = graphErrors(({ json }) =>
  isNoSuchObject(json) || graphError(json)?.code === NOT_FOUND ? 'ok' : null,
);

/** Whether a response says that the network does not have the post. */
export const isGone = (response: unknown): boolean => graphError(response) !== null;
