import { suite } from '../../test/setup/suite.js';

/**
 * `npm run lab -- load --minutes 5`. With `--quick` the limits on growth are wide: a minute says
 * little about it.
 */
const isQuick = suite.length === 'quick';
export const MINUTES = suite.number('minutes', isQuick ? 1 : 20);
export const WARM_UP_SECONDS = isQuick ? 5 : 20;
/** Clients that measure the capacity, each of which sends one request after another. */
export const CLIENTS = 48;
export const CAPACITY_SECONDS = 5;
/**
 * The capacity is measured again for each segment: a shared machine is sometimes a third slower.
 */
export const SEGMENTS = Math.max(3, Math.ceil(MINUTES / 2));
export const SEGMENT_SECONDS = (MINUTES * 60) / SEGMENTS;
/**
 * The lowest of this many measurements counts: for 5 s a machine is sometimes faster than on
 * average.
 */
export const CAPACITY_MEASUREMENTS = 3;
/** Share of the capacity that is sent as sustained load. */
export const LOAD_SHARE = 0.7;
/** Event streams that are open meanwhile, and the changes that they receive. */
export const SUBSCRIBERS = isQuick ? 20 : 200;
export const EVENTS_PER_SECOND = 5;

/**
 * Limit for the p99 of the aged gateway divided by that of a fresh one, and for the capacity of the
 * fresh one divided by that of the aged one.
 */
export const MAX_RATIO = isQuick ? 2 : 1.2;
/**
 * Both gateways are measured in this many pairs, repeated until the confidence interval excludes
 * the limit or MAX_PAIRS is reached.
 */
export const PAIRS = isQuick ? 6 : 25;
export const MAX_PAIRS = isQuick ? 6 : 100;
export const CAPACITY_PAIRS = isQuick ? 1 : 9;
export const WINDOW_SECONDS = 3;
export const MAX_MEMORY_RATIO = isQuick ? 1.5 : 1.1;
/** Random variation of the heap after garbage collection. */
export const HEAP_SLACK_MB = 5;
export const USAGE_INTERVAL_MS = 2_000;

export const OVERLOAD_FACTOR = 3;
/**
 * Figures that a few seconds of the machine can distort are judged by the median of this many
 * overloads.
 */
export const OVERLOADS = isQuick ? 1 : 3;
export const OVERLOAD_SECONDS = isQuick ? 8 : 20;
export const RECOVERY_SECONDS = isQuick ? 10 : 20;
/** `MAX_CONCURRENT_REQUESTS` of the gateway. */
export const MAX_CONCURRENT_REQUESTS = 64;
/** Longest time in the admission queue. */
export const MAX_QUEUE_WAIT_MS = 1_500;
/** Factor on the computed limits of latencies. */
export const ALLOWANCE = 1.2;
/**
 * The rest of the capacity may be spent on rejecting, and on generating three times the load on the
 * same cores.
 */
export const MIN_ACCEPTED_SHARE = 0.6;
export const MAX_REJECTION_MS = 2_000;
export const MAX_RECOVERY_MS = 5_000;
/**
 * Limit for the p99 after an overload divided by that before: it is measured for a few seconds
 * only.
 */
export const MAX_RATIO_AFTER_OVERLOAD = 2;
/** Start of the log line that reports an overload. */
export const OVERLOAD_LOG_TEXT = 'Overloaded: rejecting requests with 503';
export const OVERLOAD_ERROR = '503 UNAVAILABLE: The gateway is overloaded. Retry later.';
