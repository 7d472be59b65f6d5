import { STORED_STATES, type StoredState } from '../../src/domain/posts/states.js';
import { findPublishingViolations, type PublishedRow } from './network-record.js';
import type { Action, PostRecord, RecordedAction } from './post-record.js';

const stateOf = (state: StoredState) => ({ storedState: STORED_STATES[state].number });
const PUBLISHED: PublishedRow = {
  id: 'a',
  guarantee: 'exact',
  ...stateOf('published_posted'),
  isDeleted: false,
  isDue: true,
  text: 'Hi',
  isEditedThere: false,
  result: 'published',
  message: null,
  copies: ['Hi'],
  ignoredCopies: 0,
};
const FAILED = {
  ...stateOf('failed'),
  result: 'failed',
  message: 'Rejected.',
  copies: [],
} as const satisfies Partial<PublishedRow>;
const WAITING = { ...stateOf('scheduled'), result: null, copies: [] } as const;

const recordOf = (
  actions: readonly (readonly [Action, RecordedAction['outcome']])[],
  needsApproval = false,
): PostRecord => ({
  id: 'a',
  version: 1,
  round: 1,
  account: { id: 'account', guarantee: 'exact' },
  needsApproval,
  actions: actions.map(([action, outcome]) => ({
    action,
    outcome,
    api: 'v1',
    from: '',
    to: '',
    value: '',
    code: null,
  })),
});
const CREATED = recordOf([['create', 'done']]);
const createdAnd = (action: Action): PostRecord =>
  recordOf([
    ['create', 'done'],
    [action, 'done'],
  ]);
const violationsOf = (row: Partial<PublishedRow>, record: PostRecord = CREATED): string[] =>
  findPublishingViolations([{ ...PUBLISHED, ...row }], [record]).map(({ violation }) => violation);

test.each<[string, Partial<PublishedRow>, PostRecord]>([
  ['published once', {}, CREATED],
  ['failed with a reason', FAILED, CREATED],
  [
    'unconfirmed where the network cannot tell',
    { ...FAILED, result: 'unconfirmed', guarantee: 'cannot_tell', copies: ['Hi'] },
    CREATED,
  ],
  [
    'there twice, because the list showed it too late',
    { guarantee: 'compared', copies: ['Hi', 'Hi'] },
    CREATED,
  ],
  ['deleted before its time', { ...WAITING, isDeleted: true }, createdAnd('delete')],
  ['moved to another day', { ...WAITING, isDue: false }, createdAnd('move')],
  [
    'never approved',
    { ...WAITING, ...stateOf('scheduled_pending') },
    recordOf([['create', 'done']], true),
  ],
  [
    'refused to be deleted, and published',
    {},
    recordOf([
      ['create', 'done'],
      ['delete', 'refused'],
    ]),
  ],
])('a post that is %s is as it should be', (_name, row, record) => {
  expect(violationsOf(row, record)).toEqual([]);
});

test.each<[string, Partial<PublishedRow>, PostRecord, string]>([
  ['there twice', { copies: ['Hi', 'Hi'] }, CREATED, 'it is there more than once'],
  [
    'there twice, although the list showed it',
    { guarantee: 'compared', copies: ['Hi', 'Hi'], ignoredCopies: 1 },
    CREATED,
    'the network had shown it, and it was sent again or given up',
  ],
  ['not there', { copies: [] }, CREATED, 'it is published, but not there'],
  ['there with an old text', { copies: ['Ho'] }, CREATED, 'the network has another text'],
  ['not handed over', WAITING, CREATED, 'it was due, and nothing happened'],
  ['failed for no reason', { ...FAILED, message: null }, CREATED, 'it failed without a reason'],
  ['failed, but there', { ...FAILED, copies: ['Hi'] }, CREATED, 'it failed, but is there'],
  [
    'unconfirmed, although the network can tell',
    { ...FAILED, result: 'unconfirmed' },
    CREATED,
    'it is unconfirmed, although the network can tell',
  ],
  [
    'deleted, but there',
    { ...WAITING, isDeleted: true, copies: ['Hi'] },
    createdAnd('delete'),
    'it is there, but is not published',
  ],
  [
    'declined, but published',
    {},
    createdAnd('decline'),
    'the action decline was acknowledged last, and the state is another one',
  ],
  [
    'moved, but published',
    {},
    createdAnd('move'),
    'the action move was acknowledged last, and the state is another one',
  ],
  [
    'deleted by nobody',
    { isDeleted: true },
    createdAnd('approve'),
    'it is deleted, but nobody deleted it',
  ],
])('a post that is %s is a violation', (_name, row, record, violation) => {
  expect(violationsOf(row, record)).toEqual([violation]);
});

test('a post that does not exist, and one that nobody created, are violations', () => {
  const { violation } = findPublishingViolations([], [CREATED])[0]!;
  expect(violation).toBe('it was acknowledged, but does not exist');
  expect(findPublishingViolations([PUBLISHED], []).map((found) => found.violation)).toEqual([
    'nobody created it',
  ]);
});
