import type { Sql } from '../sql.js';

/** Pause between two notifications of a channel: calls in between share the next one. */
const PAUSE_MS = 10;
/** A notification has at most 8,000 bytes. Beyond this number, it is about all subjects. */
const MAX_SUBJECTS = 200;
/** Payload of a notification about all subjects. */
const ANY = '';

/** The subjects of a notification; null if it is about all. */
export const notifiedSubjects = (payload: string): readonly string[] | null =>
  payload === ANY ? null : payload.split(' ');

/**
 * Creates the function that notifies the listeners of channels. After commit and together: NOTIFY
 * within the transactions of changes would commit them one after another.
 */
export function createNotifier(read: Sql): (channel: string, subject: string | null) => void {
  const waiting = new Map<string, Set<string>>();

  async function send(channel: string, subjects: Set<string>): Promise<void> {
    while (subjects.size > 0) {
      const isAny = subjects.has(ANY) || subjects.size > MAX_SUBJECTS;
      const payload = isAny ? ANY : [...subjects].join(' ');
      subjects.clear();
      await read('SELECT pg_notify($1, $2)', [channel, payload]).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
    }
    waiting.delete(channel);
  }

  return (channel, subject) => {
    const subjects = waiting.get(channel);
    if (subjects) subjects.add(subject ?? ANY);
    else {
      const first = new Set([subject ?? ANY]);
      waiting.set(channel, first);
      void send(channel, first);
    }
  };
}
