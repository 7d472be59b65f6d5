import type { IncomingMessage, ServerResponse } from 'node:http';

/** The direction in which a request transfers a file. */
export type TransferKind = 'upload' | 'download';

const TRANSFERS: readonly {
  readonly kind: TransferKind;
  readonly methods: readonly string[];
  readonly path: RegExp;
}[] = [
  { kind: 'upload', methods: ['POST'], path: /^\/v1\/media$/ },
  { kind: 'upload', methods: ['PUT'], path: /^\/media\// },
  { kind: 'download', methods: ['GET', 'HEAD'], path: /^\/media\// },
];

/** Whether a request transfers a file, which may take minutes; null if it does not. */
export const transferKindOf = (method: string | undefined, path: string): TransferKind | null =>
  TRANSFERS.find((transfer) => transfer.methods.includes(method ?? '') && transfer.path.test(path))
    ?.kind ?? null;

/**
 * Transfers in each direction that a process handles at once: they need little CPU each. One key,
 * or one address, has a quarter of them.
 */
export const TRANSFER_PLACES = { places: 64, placesPerClient: 16 } as const;

/** A client that sends or reads less than this in the interval is disconnected. */
const PROGRESS = { intervalMs: 30_000, bytes: 262_144 } as const;

/**
 * Calls `cut` if a transfer makes too little progress: slow clients would otherwise occupy all
 * places. Not checked while the
 * gateway works on a file that has arrived.
 */
export function watchTransfer(
  request: IncomingMessage,
  response: ServerResponse,
  cut: () => void,
): void {
  const { socket } = request;
  const transferred = (): number => socket.bytesRead + socket.bytesWritten;
  let before = transferred();
  const timer = setInterval(() => {
    const isWaiting = !request.complete || response.headersSent;
    const now = transferred();
    if (isWaiting && now - before < PROGRESS.bytes) cut();
    before = now;
  }, PROGRESS.intervalMs).unref();
  response.once('close', () => clearInterval(timer));
}
