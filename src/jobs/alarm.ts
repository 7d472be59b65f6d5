/** Lets one loop rest until somebody rings, or some time has passed. */
export interface Alarm {
  ring(): void;
  /** Returns at once where it has rung since the last rest. */
  rest(most: number): Promise<void>;
}

export function createAlarm(): Alarm {
  let hasRung = false;
  let rise: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      rise?.();
    },
    async rest(most) {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, most);
          rise = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      hasRung = false;
    },
  };
}
