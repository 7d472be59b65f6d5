/** How often we look whether npm's shell is still there. */
const PARENT_LOOK_MS = 250;

interface Stopping {
  readonly isUnderNpm: boolean;
  readonly lastMs: number;
}

/**
 * Calls `stop` once, when the process is told to end, and ends the process when it is done, or has hung for `lastMs`. To
 * tell it again hastens nothing: answers under way would be cut, and the embedded database's server left behind.
 */
export function onceStopped(
  { isUnderNpm, lastMs }: Stopping,
  stop: () => Promise<void>,
): { readonly isStopping: boolean } {
  const standing = { isStopping: false };
  const act = (): void => {
    if (standing.isStopping) return;
    standing.isStopping = true;
    setTimeout(() => process.exit(1), lastMs).unref();
    void stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, act);
  if (isUnderNpm) onceOrphaned(act);
  return standing;
}

/** A signal that ends npm's command ends the shell between npm and us, which does not pass it on: all we see is a new parent. */
function onceOrphaned(act: () => void): void {
  const shell = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(looking);
    act();
  }, PARENT_LOOK_MS).unref();
}
