/** Lets the process outlive those who read what it prints, a collector of logs say: unheard, a write that fails ends it. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
