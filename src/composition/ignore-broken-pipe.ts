/**
 * Keeps the process running when the reader of its output, such as a log collector, has exited: an
 * unhandled EPIPE would end it.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
