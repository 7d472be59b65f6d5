/** Progress is printed to stderr, so that stdout has only the report. */
export const logProgress = (message: string): void => void process.stderr.write(`${message}\n`);
