/** A course of metrics, and when an alert fires in it. */
export interface AlertCase {
  /** Name without the prefix PostsGateway. */
  readonly alert: string;
  /** Values of each series, one per minute, in the notation of promtool. */
  readonly series: Readonly<Record<string, string>>;
  /** Minutes at which the alert does not fire. */
  readonly silentAt: readonly number[];
  /** Minutes at which it fires. */
  readonly firesAt: readonly number[];
}

const A = 'job="posts-gateway",instance="a:9464"';
const B = 'job="posts-gateway",instance="b:9464"';
const dependency = (name: string, labels = A): string =>
  `posts_gateway_dependency_up{${labels},dependency="${name}"}`;
const errors = (code: string): string =>
  `posts_gateway_request_errors_total{${A},api="graphql",code="${code}"}`;
const requests = (api: string): string =>
  `posts_gateway_requests_total{${A},api="${api}",operation="query posts",status="200"}`;
const lists = (suffix: string, le = ''): string =>
  `posts_gateway_request_duration_seconds_${suffix}{${A},api="rest",operation="GET /v1/posts"${le}}`;
const lateness = (suffix: string, le = ''): string =>
  `posts_gateway_publication_lateness_seconds_${suffix}{${A}${le}}`;
const publications = (outcome: string): string =>
  `posts_gateway_publication_attempts_total{${A},network="mastodon",outcome="${outcome}"}`;
const messages = (outcome: string): string =>
  `posts_gateway_webhook_attempts_total{${A},outcome="${outcome}"}`;
const failedJobs = (kind: string): string =>
  `posts_gateway_job_attempts_total{${A},kind="${kind}",outcome="failed"}`;

/** Shares below the threshold for hours, then above it, then below it again. */
const BURN = { silentAt: [5, 395, 480], firesAt: [430] } as const;
const burn = (good: number, total: number): string =>
  `0+${total}x400 ${400 * total}+${good}x30 ${400 * total + 30 * good}+${total}x60`;
const failures = (perMinute: number): string => `0x400 0+${perMinute}x30 ${30 * perMinute}x60`;

/** Every alert at least once. */
export const ALERT_CASES: readonly AlertCase[] = [
  {
    alert: 'RequestsFailFastBurn',
    series: { [errors('UNAVAILABLE')]: failures(40), [requests('graphql')]: '0+1000x500' },
    ...BURN,
  },
  {
    alert: 'RequestsFailFastBurn', // errors of clients, and health checks, do not count
    series: {
      [errors('BAD_USER_INPUT')]: '0+1000x500',
      [requests('graphql')]: '0+1000x500',
      'posts_gateway_request_errors_total{job="posts-gateway",api="health",code="UNAVAILABLE"}':
        '0+1000x500',
    },
    silentAt: [5, 430],
    firesAt: [],
  },
  {
    alert: 'RequestsFailSlowBurn',
    series: {
      [errors('INTERNAL_SERVER_ERROR')]: '0x30 0+7x400 2800x60',
      [requests('rest')]: '0+1000x500',
    },
    silentAt: [5, 30, 490],
    firesAt: [420],
  },
  {
    alert: 'ListsSlowFastBurn',
    series: { [lists('bucket', ',le="0.25"')]: burn(700, 1000), [lists('count')]: '0+1000x500' },
    ...BURN,
  },
  {
    alert: 'ListsSlowSlowBurn',
    series: {
      [lists('bucket', ',le="0.25"')]: '0+1000x30 30000+930x400 402000+1000x60',
      [lists('count')]: '0+1000x500',
    },
    silentAt: [5, 30, 490],
    firesAt: [420],
  },
  {
    alert: 'PublicationsLateFastBurn',
    series: { [lateness('bucket', ',le="60"')]: burn(7, 10), [lateness('count')]: '0+10x500' },
    ...BURN,
  },
  {
    alert: 'PublicationsLateSlowBurn',
    series: {
      [lateness('bucket', ',le="60"')]: '0+100x30 3000+93x400 40200+100x60',
      [lateness('count')]: '0+100x500',
    },
    silentAt: [5, 30, 490],
    firesAt: [420],
  },
  {
    alert: 'ProcessDown',
    series: { [`up{${A}}`]: '1x20', [`up{${B}}`]: '1x4 0x6 1x10' },
    silentAt: [4, 6, 12],
    firesAt: [8, 10],
  },
  {
    alert: 'NotMonitored',
    series: { [`up{${A}}`]: '1x4 stale _x10', 'up{job="other"}': '1x30' },
    silentAt: [4, 8],
    firesAt: [11, 14],
  },
  {
    alert: 'DatabaseUnavailable',
    series: { [dependency('database')]: '1x4 0x6 1x10' },
    silentAt: [4, 12],
    firesAt: [6, 10],
  },
  {
    alert: 'MigrationsPending',
    series: {
      [dependency('migrations')]: '0x40',
      [dependency('database')]: '0x10 1x10 0x20',
    },
    silentAt: [5, 9, 14, 25],
    firesAt: [17],
  },
  {
    alert: 'RedisUnavailable',
    series: { [dependency('redis')]: '1x4 0x10 1x10' },
    silentAt: [4, 8, 16],
    firesAt: [11],
  },
  {
    alert: 'MediaNotStored',
    series: { [dependency('media')]: '1x4 0x10 1x10' },
    silentAt: [4, 8, 16],
    firesAt: [11],
  },
  {
    alert: 'DatabaseConnectionsExhausted',
    series: { [`posts_gateway_database_queries_waiting{${A}}`]: '0 1 0 1 0 5x15 0x5' },
    silentAt: [4, 12, 22],
    firesAt: [17],
  },
  {
    alert: 'ReplicaLeftOut',
    series: {
      [`posts_gateway_replica_used{${A},replica="replica1"}`]: '1x4 0x15 1x5',
      [dependency('database')]: '1x30',
    },
    silentAt: [4, 12, 22],
    firesAt: [17],
  },
  {
    alert: 'ReplicaLeftOut', // DatabaseUnavailable fires instead
    series: {
      [`posts_gateway_replica_used{${A},replica="replica1"}`]: '0x30',
      [dependency('database')]: '0x30',
    },
    silentAt: [17],
    firesAt: [],
  },
  {
    alert: 'EventLoopBlocked',
    series: {
      [`nodejs_eventloop_lag_p99_seconds{${A}}`]: '0.02x4 0.4x15 0.02x5',
      'nodejs_eventloop_lag_p99_seconds{job="other"}': '3x30',
    },
    silentAt: [4, 12, 22],
    firesAt: [17],
  },
  {
    alert: 'FileDescriptorsUsedUp',
    series: {
      [`process_open_fds{${A}}`]: '100x4 920x10 900x10',
      [`process_max_fds{${A}}`]: '1000x30',
      [`process_open_fds{${B}}`]: '920x30',
      [`process_max_fds{${B}}`]: '65536x30',
    },
    silentAt: [4, 5, 17],
    firesAt: [7, 12],
  },
  {
    alert: 'PostsNotPublished',
    series: {
      [`posts_gateway_posts_oldest_due_seconds{${A}}`]: 'NaN 0+60x10 0x10',
      [dependency('publishing')]: '1x30',
    },
    silentAt: [0, 4, 14],
    firesAt: [6, 10],
  },
  {
    alert: 'PostsNotPublished', // PublishingPaused fires instead
    series: {
      [`posts_gateway_posts_oldest_due_seconds{${A}}`]: '600x30',
      [dependency('publishing')]: '0x30',
    },
    silentAt: [5, 20],
    firesAt: [],
  },
  {
    alert: 'PublishingPaused',
    series: {
      [dependency('publishing')]: '0x60 1x10',
      [dependency('migrations')]: '0x10 1x60',
    },
    silentAt: [9, 38, 65],
    firesAt: [45],
  },
  {
    alert: 'ClockDiffers',
    series: { [`posts_gateway_clock_offset_seconds{${A}}`]: '0x4 -3x20 0.2x5' },
    silentAt: [4, 14, 26],
    firesAt: [16],
  },
  {
    alert: 'JobsWaiting',
    series: { [`posts_gateway_jobs_oldest_due_seconds{${A}}`]: '0+60x15 0x5' },
    silentAt: [9, 18],
    firesAt: [12],
  },
  {
    alert: 'RenewalsWaiting',
    series: { [`posts_gateway_renewals_oldest_due_seconds{${A}}`]: '0 3000+60x30 0x5' },
    silentAt: [9, 20, 33],
    firesAt: [25],
  },
  {
    alert: 'JobsFail',
    series: { [failedJobs('publish')]: '0x4 9x30', [failedJobs('purge')]: '0x4 2x30' },
    silentAt: [4, 25],
    firesAt: [8],
  },
  {
    alert: 'PublicationsUnconfirmed',
    series: { [publications('unconfirmed')]: '0x4 1x30', [publications('published')]: '0+5x40' },
    silentAt: [4, 25],
    firesAt: [8],
  },
  {
    alert: 'PublicationsMissed',
    series: { [publications('missed')]: '0x4 1x30' },
    silentAt: [4, 25],
    firesAt: [8],
  },
  {
    alert: 'PublicationsFail',
    series: {
      [publications('retried')]: '0x20 0+8x30 240x30',
      [publications('published')]: '0+2x80',
    },
    silentAt: [15, 25, 78],
    firesAt: [48],
  },
  {
    alert: 'WebhookDeliveriesFail',
    series: { [messages('failed')]: '0x20 0+8x30 240x30', [messages('delivered')]: '0+2x80' },
    silentAt: [15, 25, 78],
    firesAt: [48],
  },
  {
    alert: 'WebhookDeliveriesWaiting',
    series: { [`posts_gateway_webhook_oldest_due_seconds{${A}}`]: '0+60x30 0x5' },
    silentAt: [14, 24, 33],
    firesAt: [27],
  },
];
