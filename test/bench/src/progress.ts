/** Progress goes to stderr, so that stdout is the report alone. */
export const tell = (message: string): void => void process.stderr.write(`${message}\n`);
