// Preloaded into the gateway: on SIGUSR2 it collects garbage and prints the memory usage on one
// line.
process.on('SIGUSR2', () => {
  globalThis.gc();
  process.stdout.write(`\nmemory ${JSON.stringify(process.memoryUsage())}\n`);
});
