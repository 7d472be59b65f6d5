/** Lets one loop sleep until it is woken or a timeout has passed. */
export interface WakeSignal {
  wake(): void;
  /** Waits at most `maxMs`; returns immediately if woken since the last sleep. */
  sleep(maxMs: number): Promise<void>;
}

/** Creates a signal that was not woken yet. */
export function createWakeSignal(): WakeSignal {
  let isWoken = false;
  let endSleep: (() => void) | undefined;
  return {
    wake() {
      isWoken = true;
      endSleep?.();
    },
    async sleep(maxMs) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs);
          endSleep = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
