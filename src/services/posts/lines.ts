/** Runs a task after every earlier one of the same key. */
export type InLine = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * Lines of tasks: those of one key one after another, those of different keys at once. Changes of one post wait here
 * instead of deciding in vain: each has to see what the one before it saved.
 */
export function createLines(): InLine {
  const tails = new Map<string, Promise<unknown>>();
  return (key, task) => {
    const mine = (tails.get(key) ?? Promise.resolve()).then(task);
    const tail = mine
      .catch(() => undefined)
      .finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return mine;
  };
}
