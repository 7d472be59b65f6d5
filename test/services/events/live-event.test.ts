import type { StoredEvent } from '../../../src/domain/events/visible-event.js';
import type { Viewer } from '../../../src/domain/access/viewer.js';
import type { StoredState } from '../../../src/domain/posts/states.js';
import { createLiveEventPresenter } from '../../../src/services/events/live-event.js';

const SCOPE = { database: 'db', workspaceId: 'wks_1' };
const aViewer = (id: string): Viewer => ({ user: { id } }) as Viewer;
const [creator, member, other] = [aViewer('usr_1'), aViewer('usr_2'), aViewer('usr_3')];

/** A change of the state of the creator's post. */
function stateChange(before: StoredState, after: StoredState): StoredEvent {
  const post = { storedState: after, creatorId: 'usr_1' } as NonNullable<StoredEvent['post']>;
  return {
    position: { transactionId: 5n, sequence: 6n, at: new Date(0) },
    type: 'post.updated',
    at: new Date(0),
    documentId: 'doc',
    accountId: null,
    recordId: null,
    version: 2,
    user: null,
    api: 'graphql',
    changed: ['state'],
    before,
    after,
    visibleTo: after.startsWith('draft_private') ? 'usr_1' : null,
    current: post,
    post,
  };
}

const { present } = createLiveEventPresenter();

test('viewers who may know the same get the same object', () => {
  const event = stateChange('draft_undated', 'draft_public_undated');
  const presented = present(event, creator, SCOPE);
  expect(presented).toMatchObject({ stateBefore: 'draft_undated', stateAfter: 'draft_public' });
  expect(present(event, member, SCOPE)).toBe(presented);
  expect(Object.isFrozen(presented)).toBe(true);
});

test.each([
  ['the creator first', [creator, member, other]],
  ['a member first', [member, creator, other]],
])('a post that is hidden from other members: %s', (_order, viewers) => {
  const event = stateChange('draft_public_undated', 'draft_private_undated');
  const seen = new Map(viewers.map((viewer) => [viewer, present(event, viewer, SCOPE)]));
  expect(seen.get(creator)).toMatchObject({
    type: 'post.updated',
    stateAfter: 'draft_private',
    post: { creatorId: 'usr_1' },
  });
  expect(seen.get(member)).toMatchObject({
    type: 'post.deleted',
    stateAfter: null,
    post: null,
    fields: [],
  });
  expect(seen.get(other)).toBe(seen.get(member));
});

test('a post that becomes visible to other members has no state before', () => {
  const event = stateChange('draft_private_undated', 'draft_public_undated');
  expect(present(event, creator, SCOPE)).toMatchObject({ stateBefore: 'draft_private' });
  expect(present(event, member, SCOPE)).toMatchObject({
    stateBefore: null,
    stateAfter: 'draft_public',
  });
});

test('other members learn nothing of a private draft', () => {
  const event = stateChange('draft_private_undated', 'draft_private_undated');
  expect(present(event, creator, SCOPE)).not.toBeNull();
  expect(present(event, member, SCOPE)).toBeNull();
});
