import type { JobOutcome } from '../domain/jobs/job.js';
import type { JobHandler, JobHandlers } from '../services/jobs/job-handler.js';
import { inSpan, type SpanResult, type Tracer } from './tracer.js';

const describe = (outcome: JobOutcome): SpanResult => ({
  attributes: { 'posts_gateway.job.outcome': outcome.kind },
  error: outcome.kind === 'failed' ? (outcome.failures[0]?.code ?? 'failed') : null,
});

const traceHandler =
  (tracer: Tracer, handle: JobHandler): JobHandler =>
  (run) =>
    inSpan(
      tracer,
      {
        name: `job ${run.kind}`,
        kind: 'consumer',
        parent: run.traceparent,
        attributes: {
          'posts_gateway.job.id': run.id,
          'posts_gateway.job.kind': run.kind,
          'posts_gateway.job.attempt': run.attempt,
        },
      },
      { work: () => handle(run), describe },
    );

/** Traces each attempt as part of the request that created the job. */
export const traceJobHandlers = <Handlers extends Partial<JobHandlers>>(
  tracer: Tracer,
  handlers: Handlers,
): Handlers =>
  Object.fromEntries(
    Object.entries(handlers).map(([kind, handle]) => [kind, traceHandler(tracer, handle)]),
  ) as Handlers;
