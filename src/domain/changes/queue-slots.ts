import type { QueueSlot, UpsertWrite } from './change.js';

/** The times that posts are given in the queues of their accounts (D61). */
export const queueSlotsOf = (writes: readonly UpsertWrite[]): QueueSlot[] =>
  writes.flatMap((write) => {
    const { auto, accountId, scheduledAt } = write.after;
    const isNew = write.kind === 'insert' || write.changed.includes('scheduledAt');
    return auto && isNew ? [{ accountId: accountId!, at: scheduledAt! }] : [];
  });
