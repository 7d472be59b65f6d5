import type { IncomingMessage, ServerResponse } from 'node:http';
import { onFinished } from '../request-end.js';
import { createClientShares, type ClientNames } from './client-shares.js';

/**
 * Bytes of answers that one key, or one address, may leave unread at the same time. With less room
 * than for a large answer, its further requests are refused before they are computed.
 */
const MAX_BYTES = 40 * 1_048_576;
const LARGE_ANSWER_BYTES = 10 * 1_048_576;

/**
 * Answers of at least this size also count for this time after they are written: a proxy reads them
 * at once, and to compute one after the other would stop other clients.
 */
const PACED = { bytes: 1_048_576, ms: 2_000 } as const;

/**
 * A client that reads less than this in the interval is disconnected. A kernel reports what was read
 * only when a third of its buffer is free, which takes a slow client seconds.
 */
const PROGRESS = { intervalMs: 30_000, bytes: 65_536 } as const;

/** The answer to a request. */
interface Answer {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Its size, without headers. */
  readonly bytes: number;
}

interface UnreadAnswer extends Answer {
  readonly client: ClientNames;
  /** Bytes that its connection had taken at the last check. */
  bytesWritten: number;
}

/** Bounds the memory of answers that clients do not read. They take no places of requests. */
export interface UnreadAnswers {
  /** Whether the client of a request leaves too much unread, or got too much a moment ago. */
  isFull(request: IncomingMessage): boolean;
  /** To be called when an answer has been passed to its connection. */
  add(answer: Answer): void;
}

/**
 * Creates the bounds of a process. Answers end when their clients stop reading, and the oldest ones
 * of a client when others, which were computed at the same time, would exceed its limit.
 */
export function createUnreadAnswers(
  nameClient: (request: IncomingMessage) => ClientNames,
): UnreadAnswers {
  const unread = new Set<UnreadAnswer>(); // oldest first
  const shares = createClientShares(MAX_BYTES);
  const recent = createClientShares(MAX_BYTES);
  let recentCount = 0;
  let timer: NodeJS.Timeout | undefined;

  function remove(answer: UnreadAnswer): void {
    if (!unread.delete(answer)) return;
    shares.giveBack(answer.client, answer.bytes);
    if (unread.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function cut(answer: UnreadAnswer): void {
    remove(answer);
    // A response that waits behind another one on its connection has no socket yet.
    answer.request.socket.destroy();
  }

  function cutStalled(): void {
    for (const answer of unread) {
      const { bytesWritten } = answer.request.socket;
      if (bytesWritten - answer.bytesWritten < PROGRESS.bytes) cut(answer);
      answer.bytesWritten = bytesWritten;
    }
  }

  function makeRoom({ client, bytes }: UnreadAnswer): void {
    for (const other of unread) {
      if (shares.hasRoom(client, bytes)) return;
      if (other.client.some((name) => client.includes(name))) cut(other);
    }
  }

  function pace(client: ClientNames, bytes: number): void {
    recent.take(client, bytes);
    recentCount += 1;
    setTimeout(() => {
      recent.giveBack(client, bytes);
      recentCount -= 1;
    }, PACED.ms).unref();
  }

  return {
    isFull(request) {
      if (unread.size + recentCount === 0) return false;
      const client = nameClient(request);
      return [shares, recent].some((counts) => !counts.hasRoom(client, LARGE_ANSWER_BYTES));
    },
    add({ request, response, bytes }) {
      const { socket } = request;
      if (bytes >= PACED.bytes) pace(nameClient(request), bytes);
      const isPassed =
        response.writableEnded && response.writableLength + socket.writableLength === 0;
      if (isPassed || socket.destroyed) return;
      const client = nameClient(request);
      const answer = { request, response, bytes, client, bytesWritten: socket.bytesWritten };
      makeRoom(answer);
      unread.add(answer);
      shares.take(client, bytes);
      onFinished(request, response, () => remove(answer));
      timer ??= setInterval(cutStalled, PROGRESS.intervalMs).unref();
    },
  };
}
