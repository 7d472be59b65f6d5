/**
 * What messages of the domain say in the words of GraphQL, and how v1 says it. In this order,
 * before the names of fields are replaced.
 */
const PHRASES: readonly (readonly [graphql: string, v1: string])[] = [
  [
    'Use resolvePublication, or retryPosts with confirmNotLive.',
    'Check its network, and record with the GraphQL API whether it is there.',
  ],
  [
    'and set confirmNotLive if it is not there',
    'and confirm with the GraphQL API if it is not there',
  ],
  [' Set allowDuplicate to create it nevertheless.', ''],
  [' Set allowDuplicate to schedule it nevertheless.', ''],
  ['Set publishLate to publish it now, or give it another time first.', 'Give it another time.'],
  ['Add slots with setPostingSchedule, or', 'Add slots to it, or'],
  [
    'requires the mode SCHEDULE',
    'requires a time of its own: it cannot be combined with auto, share_next or immediate publication',
  ],
  ['in mode SCHEDULE', 'for a scheduled post'],
  ['the mode SHARE_NOW', 'immediate publication'],
  ['the mode ADD_TO_QUEUE', 'auto and share_next'],
  ['networkOptions.boardId', 'board_id'],
  ['accountId', 'account'],
  ['expectedVersion', 'the version in If-Match'],
];

/** Replaces what only GraphQL calls like this. */
export const withV1Words = (message: string): string =>
  PHRASES.reduce((text, [graphql, v1]) => text.replaceAll(graphql, v1), message);
