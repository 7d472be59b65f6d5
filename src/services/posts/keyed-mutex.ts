/** Runs a task after all earlier tasks with the same key. */
export type KeyedMutex = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/**
 * A mutex per key: tasks with the same key run one after another, tasks with different keys run
 * concurrently. Changes of one post in this process wait for each other instead of failing with
 * version conflicts.
 */
export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task);
    const end = (): void => {
      if (tails.get(key) === tail) tails.delete(key);
    };
    // without the result, which the map would keep alive for longer than the task
    const tail = result.then(end, end);
    tails.set(key, tail);
    return result;
  };
}
