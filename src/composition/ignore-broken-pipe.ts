/** Keeps the process running when the reader of its output, such as a log collector, is gone: an unhandled EPIPE ends it. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
