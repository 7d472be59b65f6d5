import type { IncomingMessage } from 'node:http';
import { REQUEST_LIMITS } from '../../domain/input/request-limits.js';
import { keepBody } from '../body.js';
import type { Rejection } from './admission-queue.js';
import { createClientShares, type ClientNames } from './client-shares.js';

/** What happens to a body. One of them is called, once; none if the request ends before. */
interface BodyEvents {
  /** Its bytes are kept for `readJsonBody`, or it is known to be too large. */
  received(): void;
  /** There are too many unfinished bodies. */
  refused(reason: Rejection): void;
  /** It did not arrive in time. */
  late(): void;
}

/** A body, before it has arrived. */
interface ExpectedBody {
  /** A larger one is not kept. */
  readonly maxBytes: number;
  /** Called only if the body does not arrive together with the headers. */
  nameClient(): ClientNames;
}

/** Receives bodies before their requests take a place (D41): a client decides how long that takes. */
export interface RequestBodies {
  /** Receives a body. Returns a function that must be called when the request is over. */
  receive(request: IncomingMessage, body: ExpectedBody, events: BodyEvents): () => void;
}

/** A body may take as long as the request after it. */
const BODY_TIMEOUT_MS = 25_000;
/**
 * Time for a body over the limit of its client: after a stall of this process, the headers of many
 * requests are read before the rest of their bodies, which has long arrived.
 */
const GRACE_MS = 1_000;
/**
 * Bytes of bodies in memory until their requests are over: of the largest body of a route, four of
 * one client, and sixteen of all.
 */
const KEPT_BYTES = {
  perClient: 4 * REQUEST_LIMITS.creationBodyBytes,
  all: 16 * REQUEST_LIMITS.creationBodyBytes,
} as const;

/**
 * Creates the receiver of a process. A body that arrives together with its headers, as nearly all
 * do, is not counted. `maxUnfinished` is the limit of others for each key and each address.
 */
export function createRequestBodies(maxUnfinished: number): RequestBodies {
  const unfinished = createClientShares(maxUnfinished);
  const keptBytes = createClientShares(KEPT_BYTES.perClient);
  let allKeptBytes = 0;

  function findObstacle(client: ClientNames, bytes: number): Rejection | null {
    if (allKeptBytes + bytes > KEPT_BYTES.all) return 'overloaded';
    return keptBytes.hasRoom(client, bytes) ? null : 'client limit';
  }

  return {
    receive(request, { maxBytes, nameClient }, { received, refused, late }) {
      if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
        keepBody(request, { exceededBytes: maxBytes });
        received();
        return () => undefined;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      let counted: { readonly client: ClientNames; bytes: number } | null = null;
      let timer: NodeJS.Timeout | undefined;
      let isOver = false;

      function keepBytes(bytes: number): Rejection | null {
        if (!counted) return null;
        const obstacle = findObstacle(counted.client, bytes);
        if (obstacle) return obstacle;
        keptBytes.take(counted.client, bytes);
        allKeptBytes += bytes;
        counted.bytes += bytes;
        return null;
      }

      function settle(event: () => void): void {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        request.off('data', onData).off('end', onEnd);
        if (counted) unfinished.giveBack(counted.client);
        event();
      }

      function onData(chunk: Buffer): void {
        chunks.push(chunk);
        size += chunk.length;
        const obstacle = keepBytes(chunk.length);
        if (obstacle === null && size <= maxBytes) return;
        request.pause();
        settle(() => {
          if (obstacle !== null) return refused(obstacle);
          keepBody(request, { exceededBytes: maxBytes });
          received();
        });
      }

      function onEnd(): void {
        settle(() => {
          keepBody(request, chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
          received();
        });
      }

      /** After the parser has read what arrived together with the headers. */
      function countUnlessComplete(): void {
        if (isOver || request.complete) return;
        const client = nameClient();
        const hasRoom = unfinished.hasRoom(client);
        unfinished.take(client);
        counted = { client, bytes: 0 };
        timer = hasRoom
          ? setTimeout(() => settle(late), BODY_TIMEOUT_MS)
          : setTimeout(() => settle(() => refused('client limit')), GRACE_MS);
      }

      request.on('data', onData).on('end', onEnd);
      process.nextTick(countUnlessComplete);
      return () => {
        settle(() => undefined);
        if (!counted) return;
        keptBytes.giveBack(counted.client, counted.bytes);
        allKeptBytes -= counted.bytes;
      };
    },
  };
}
