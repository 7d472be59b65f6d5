import type { ServerResponse } from 'node:http';
import { STREAM_LIMITS } from '../domain/events/stream-limits.js';
import { requestContextOf } from './request-context.js';
import { drained, writeHead } from './responses.js';

/** A result in an event stream. */
export interface StreamedResult {
  /** Position from which the client can continue; null if it cannot. */
  readonly id: string | null;
  /** JSON without line breaks. */
  readonly body: string;
}

/** The results that an event stream sends. */
export interface ResultSource {
  /** Position before the first result; null if the client cannot continue. */
  readonly id: string | null;
  readonly results: AsyncIterable<StreamedResult> | Iterable<StreamedResult>;
  /** Called while the client takes no more results: until `drained` resolves. */
  waitFor(drained: Promise<void>): Promise<void>;
  /** Called when the client has disconnected. */
  disconnected(): void;
  /**
   * How the stream ends after the last result. `complete`: there are no more. `reconnect`: the
   * client should connect again. `cut`: the client does not read.
   */
  ending(): 'complete' | 'reconnect' | 'cut';
}

const HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-cache, no-transform',
  // nginx would collect the events in a buffer
  'X-Accel-Buffering': 'no',
} as const;
const COMMENT = ':\n\n';
const COMPLETE = 'event: complete\ndata:\n\n';
const RECONNECT = `retry: ${STREAM_LIMITS.retryMs}\n\n`;

const idLine = (id: string | null): string => (id === null ? '' : `id: ${id}\n`);

/** Messages by result: streams can share results. */
const messages = new WeakMap<StreamedResult, Buffer>();
function presentResult(result: StreamedResult): Buffer {
  const known = messages.get(result);
  if (known) return known;
  const message = Buffer.from(`${idLine(result.id)}event: next\ndata: ${result.body}\n\n`);
  messages.set(result, message);
  return message;
}

/** Sends event streams: GraphQL over SSE, distinct connections mode. */
export interface EventStreams {
  /** Sends all results. Resolves when the stream has ended. */
  send(response: ServerResponse, source: ResultSource): Promise<void>;
}

/** Creates the sender of event streams. One timer sends the comments that keep them open. */
export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>();
  let timer: NodeJS.Timeout | undefined;

  function sendComments(): void {
    for (const response of open) if (!response.writableNeedDrain) response.write(COMMENT);
  }

  function add(response: ServerResponse): void {
    open.add(response);
    timer ??= setInterval(sendComments, STREAM_LIMITS.commentMs).unref();
  }

  function remove(response: ServerResponse): void {
    open.delete(response);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    async send(response, source) {
      if (response.destroyed) return source.disconnected();
      writeHead(response, 200, HEAD);
      requestContextOf(response).streamStarted();
      response.once('close', () => {
        remove(response);
        source.disconnected();
      });
      add(response);
      // sent at once, so that clients know that the stream is open
      response.write(`${COMMENT}${source.id === null ? '' : `${idLine(source.id)}\n`}`);
      for await (const result of source.results)
        if (!response.write(presentResult(result))) await source.waitFor(drained(response));
      remove(response);
      const ending = source.ending();
      if (ending === 'cut') response.destroy();
      else response.end(ending === 'complete' ? COMPLETE : RECONNECT);
    },
  };
}
