import type { RequestHistory } from './request-history.js';

const LAST_UPDATE =
  "SELECT e.sequence FROM event e WHERE e.type = 'post.updated' AND e.user_id IS NOT NULL ORDER BY e.transaction_id DESC, e.sequence DESC LIMIT 1";

/** Damage to the events in the database: what it is, the SQL, and the violation to report. */
export const EVENT_DATA_DAMAGES: readonly (readonly [
  name: string,
  sql: string,
  violation: RegExp,
])[] = [
  [
    'a change without its event',
    `DELETE FROM event WHERE sequence = (${LAST_UPDATE})`,
    /^version \S+ \d+ has 0 events$/,
  ],
  [
    'an event that was written twice',
    `INSERT INTO event SELECT (jsonb_populate_record(e, jsonb_build_object('sequence', nextval('event_sequence_seq')))).* FROM event e WHERE e.sequence = (${LAST_UPDATE})`,
    /^version \S+ \d+ has 2 events$/,
  ],
  [
    'an event with another version',
    `UPDATE event SET version = version + 1000 WHERE sequence = (${LAST_UPDATE})`,
    /^an event has the version \S+ \d+, which is no revision$/,
  ],
  [
    'events of another user',
    "UPDATE event SET user_id = 'usr_other' WHERE type = 'post.updated' AND user_id IS NOT NULL",
    /^\w+ mark \d+ of \S+ through \w+ has the event /,
  ],
  [
    'a deletion without its event',
    "DELETE FROM event WHERE type = 'post.deleted' AND user_id IS NOT NULL",
    /^delete mark \d+ of \S+ has 0 events$/,
  ],
];

/** The history in which the first subscriber received something else. */
const withReceived = (
  history: RequestHistory,
  damage: (
    received: RequestHistory['subscribers'][number],
  ) => RequestHistory['subscribers'][number],
): RequestHistory => ({
  ...history,
  subscribers: history.subscribers.with(0, damage(history.subscribers[0]!)),
});

/** Damage to what was received, and the violation that must be reported. */
export const RECEIPT_DAMAGES: readonly (readonly [
  name: string,
  damage: (history: RequestHistory) => RequestHistory,
  violation: RegExp,
])[] = [
  [
    'an event that a subscriber missed',
    (history) => withReceived(history, (received) => received.toSpliced(3, 1)),
    /^subscriber 1 received \d+ of \d+ events; at 3 it has /,
  ],
  [
    'an event that a subscriber received twice',
    (history) => withReceived(history, (received) => received.toSpliced(3, 0, received[2]!)),
    /^subscriber 1 received \d+ of \d+ events; at 3 it has /,
  ],
  [
    'two events that a subscriber received in another order',
    (history) =>
      withReceived(history, (received) => received.toSpliced(3, 2, received[4]!, received[3]!)),
    /^subscriber 1 received (\d+) of \1 events; at 3 it has /,
  ],
  [
    'an event for which there is no message',
    (history) => ({
      ...history,
      messages: history.messages.filter(
        ({ data }) => data?.event_id !== history.messages[0]!.data!.event_id,
      ),
    }),
    /^no message is about /,
  ],
  [
    'a message with another version',
    (history) => ({
      ...history,
      messages: history.messages.map(({ id, data }) => ({
        id,
        data: data && { ...data, version: 1_000 },
      })),
    }),
    /^the message dlv_\w+ has the version 1000 of /,
  ],
  [
    'a message with a wrong signature',
    (history) => ({ ...history, messages: history.messages.map(({ id }) => ({ id, data: null })) }),
    /^the message dlv_\w+ has a wrong signature$/,
  ],
  [
    'two messages about one event',
    (history) => ({
      ...history,
      messages: [...history.messages, { ...history.messages[0]!, id: 'dlv_other' }],
    }),
    /^the messages dlv_\w+ and dlv_other are both about /,
  ],
];
