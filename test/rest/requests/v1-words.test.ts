import type { ShapeKey } from '../../../src/domain/input/shapes.js';
import { SHAPES } from '../../../src/domain/posts/post-settings.js';
import { createFieldMapping } from '../../../src/rest/field-mapping.js';
import { listFiles, readText } from '../../architecture/source-files.js';
import { graphqlIdentifiersIn } from '../../fixtures/graphql-identifiers.js';
import { postPatch } from '../post-patch-type.js';

const { toV1Message } = createFieldMapping(postPatch);

/** Sentences that only GraphQL shows: `stateReason`, and arguments that only its mutations have. */
const GRAPHQL_ONLY = [
  'src/domain/actions/state-reason.ts',
  'src/services/posting-schedules/posting-schedules.ts',
];
/** What the APIs say about keys, in the names of GraphQL: the OpenAPI document has those of v1. */
const DESCRIPTIONS: ReadonlySet<string | undefined> = new Set(
  Object.values(SHAPES)
    .flatMap((keys) => Object.values<ShapeKey>(keys))
    .flatMap(({ description, inResult }) => [description, inResult]),
);
const COMMENT = /\/\*[\s\S]*?\*\//g;
const STRING = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;
const DESCRIPTION = /(description:|descriptionOf\()\s*$/;

/** The sentences of a file that may be messages, with values as `…`. */
function messagesIn(file: string): string[] {
  const text = readText(file).replace(COMMENT, '');
  return [...text.matchAll(STRING)].flatMap(({ 1: plain, 2: template, index }) => {
    const message = (plain ?? template)!.replace(/\$\{[^}]*\}/g, '…');
    return / /.test(message.trim()) &&
      !message.includes('${') &&
      !DESCRIPTION.test(text.slice(Math.max(0, index - 60), index))
      ? [message]
      : [];
  });
}

test('no message of the domain and the services speaks of GraphQL in v1', () => {
  const files = ['src/domain', 'src/services'].flatMap((folder) => listFiles(folder, /\.ts$/));
  const messages = files
    .filter((file) => !GRAPHQL_ONLY.includes(file))
    .flatMap((file) => messagesIn(file).map((message) => ({ file, message })))
    .filter(({ message }) => !DESCRIPTIONS.has(message));
  const named = messages.filter(({ message }) => graphqlIdentifiersIn(message).length > 0);
  expect(named.length).toBeGreaterThan(15);
  expect(
    named.filter(({ message }) => graphqlIdentifiersIn(toV1Message(message)).length > 0),
  ).toEqual([]);
});

test.each([
  ['scheduledAt is required in mode SCHEDULE.', 'scheduled_at is required for a scheduled post.'],
  [
    'recurring requires the mode SCHEDULE.',
    'recurring requires a time of its own: it cannot be combined with auto, share_next or immediate publication.',
  ],
  [
    'The posting schedule of iPhone News has no free time within a year. Add slots with setPostingSchedule, or choose a time.',
    'The posting schedule of iPhone News has no free time within a year. Add slots to it, or choose a time.',
  ],
  [
    'networkOptions.boardId is required: the ID of the board to pin to.',
    'board_id is required: the ID of the board to pin to.',
  ],
  ['Another post has it. Set allowDuplicate to create it nevertheless.', 'Another post has it.'],
])('%j is %j', (graphql, v1) => {
  expect(toV1Message(graphql)).toBe(v1);
});
