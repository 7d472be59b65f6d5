/** Lets one loop sleep until it is woken or a time has passed. */
export interface WakeSignal {
  wake(): void;
  /** Returns immediately if woken since the last sleep. */
  sleep(maxMs: number): Promise<void>;
}

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
