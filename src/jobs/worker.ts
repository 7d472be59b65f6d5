import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { JOB_RETRIES, pauseAfter } from '../domain/jobs/job-retries.js';
import type {
  JobEnding,
  JobHandlers,
  JobMeter,
  JobQueue,
  JobRun,
  JobRuns,
  Ticket,
} from '../services/jobs/job-ports.js';
import { createAlarm } from './alarm.js';

/** Takes jobs out of the line and does them, several at once, from start to stop. */
export interface Worker {
  start(): void;
  /** Takes no more jobs, waits for those at hand as long as `patience` milliseconds, and gives back the rest. */
  stop(patience: number): Promise<void>;
}

interface WorkerParts {
  readonly queue: JobQueue;
  readonly runs: JobRuns;
  readonly handlers: JobHandlers;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Absent where nobody reads it. */
  readonly meter?: JobMeter | undefined;
  /** Jobs at once; with 0 the worker does nothing. */
  readonly atOnce: number;
  /** How often a job at hand tells that its worker lives: several times in a lease, so that a killed worker is missed soon. */
  readonly heartbeatMs?: number;
}

/** How often the line is looked at when nobody tells of new jobs: what waits for its time is found so. */
const LOOK_MS = 1_000;
/** How often jobs are looked for that nobody has. */
const RECONCILE_MS = 5_000;
/** How often it is asked whether work that comes round by itself is due. */
const SCHEDULE_MS = 600_000;
const HEARTBEAT_MS = 5_000;
/** When a job of a kind that this process knows nothing of is tried again: a newer worker may know it. */
const UNKNOWN_KIND_MS = 60_000;

const CUT_OFF = `The service was cut off ${JOB_RETRIES.mostAttempts} times while it did this.`;
const UNFORESEEN = 'The service could not do this: a fault of its own, which its log has.';
const failed = ({ about }: JobRun, message: string): JobEnding => ({
  kind: 'failed',
  failures: [{ id: about, code: 'INTERNAL_SERVER_ERROR', message }],
});

/** The chore, where its time has come round again; the first time at once. Of failures in a row only the first is told. */
function every(
  ms: number,
  chore: () => Promise<unknown>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  let [doneAt, isFailing] = [-Infinity, false];
  return async () => {
    if (performance.now() - doneAt < ms) return;
    doneAt = performance.now();
    await chore().then(
      () => {
        isFailing = false;
      },
      (error: unknown) => {
        if (!isFailing) failed(error);
        isFailing = true;
      },
    );
  };
}

export function createWorker({
  queue,
  runs,
  handlers,
  log,
  meter,
  atOnce,
  heartbeatMs = HEARTBEAT_MS,
}: WorkerParts): Worker {
  const running = new Map<Promise<void>, JobRun | null>();
  const alarm = createAlarm();
  let isStopping = false;
  let turning: Promise<void> = Promise.resolve();

  const told =
    (what: string, job?: string) =>
    (error: unknown): void =>
      log.warn({ err: error, ...(job !== undefined && { job }) }, what);

  async function work(ticket: Ticket, began: (run: JobRun) => void): Promise<void> {
    const run = await runs.take(ticket);
    if (!run) return;
    began(run);
    const beganAt = performance.now();
    const beating = setInterval(
      () => void run.renew().catch(told('A job at hand could not tell that its worker lives')),
      heartbeatMs,
    );
    const ending = await endingOf(run).finally(() => clearInterval(beating));
    const isWritten = await runs.settle(run, ending);
    if ('inMs' in ending && ending.inMs < LOOK_MS)
      setTimeout(() => alarm.ring(), ending.inMs).unref();
    const milliseconds = performance.now() - beganAt;
    meter?.ended(run.kind, ending.kind, milliseconds / 1000);
    log.info(
      {
        job: run.id,
        kind: run.kind,
        attempt: run.attempt,
        ending: ending.kind,
        isWritten,
        ms: Math.round(milliseconds),
      },
      'job',
    );
  }

  async function endingOf(run: JobRun): Promise<JobEnding> {
    const handler = handlers[run.kind];
    if (!handler) return { kind: 'postponed', inMs: UNKNOWN_KIND_MS };
    if (run.attempt > JOB_RETRIES.mostAttempts) return failed(run, CUT_OFF);
    try {
      return await handler(run);
    } catch (error) {
      const isOutage = error instanceof GatewayError && error.code === 'UNAVAILABLE';
      const details = { err: error, job: run.id, kind: run.kind, attempt: run.attempt };
      if (isOutage) log.warn(details, 'A job met something that is away');
      else log.error(details, 'A job failed unforeseen');
      const inMs = pauseAfter(run.attempt, Math.random());
      return inMs === null ? failed(run, UNFORESEEN) : { kind: 'again', inMs };
    }
  }

  function begin(ticket: Ticket): void {
    const mine: Promise<void> = work(ticket, (run) => running.set(mine, run))
      .catch(
        told(
          'A job could not be written down; it is taken up again when its lease has run out',
          ticket.jobId,
        ),
      )
      .finally(() => {
        running.delete(mine);
        alarm.ring();
      });
    running.set(mine, null);
  }

  async function takeTurns(): Promise<void> {
    const reconcile = every(
      RECONCILE_MS,
      () => runs.reconcile(),
      told('Jobs that nobody has could not be looked for'),
    );
    const schedule = every(
      SCHEDULE_MS,
      () => runs.schedule(),
      told('The purge could not be put in the line'),
    );
    while (!isStopping) {
      await reconcile();
      await schedule();
      const free = atOnce - running.size;
      const tickets = free > 0 ? await queue.next(free) : [];
      tickets.forEach(begin);
      if (free === 0 || tickets.length < free) await alarm.rest(LOOK_MS);
    }
  }

  return {
    start() {
      if (atOnce === 0 || isStopping) return;
      queue.open(() => alarm.ring()).catch(told('The line of jobs could not be opened'));
      turning = takeTurns();
    },
    async stop(patience) {
      isStopping = true;
      alarm.ring();
      await turning;
      await Promise.race([
        Promise.all(running.keys()),
        new Promise((resolve) => {
          setTimeout(resolve, patience).unref();
        }),
      ]);
      // A call may be out: nothing that it comes to is written down any more, and another worker begins the job again.
      const left = [...running.values()].filter((run) => run !== null);
      await Promise.all(
        left.map((run) =>
          runs
            .settle(run, { kind: 'again', inMs: 0 })
            .catch(told('A job could not be given back', run.id)),
        ),
      );
      await queue.close();
    },
  };
}
