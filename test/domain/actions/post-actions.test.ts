import {
  actionRights,
  decideAction,
  POST_ACTIONS,
} from '../../../src/domain/actions/post-actions.js';
import { enumKeys } from '../../../src/domain/enums.js';
import type { Post } from '../../../src/domain/posts/post.js';
import type { PublicationRecord } from '../../../src/domain/publishing/publication-record.js';
import { deletability } from '../../../src/domain/rules/delete-rules.js';
import { editability, editRefusal } from '../../../src/domain/rules/edit-rules.js';
import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import { aPost, aViewer } from '../../fixtures/posts.js';

const account = { ...aPost().account!, sandbox: true };
const post = (storedState: StoredState, given: Partial<Post> = {}): Post =>
  aPost({ account, ...given, storedState });
const states = enumKeys(STORED_STATES);
const record: PublicationRecord = {
  attempts: 1,
  result: 'unconfirmed',
  error: null,
  publishedAt: null,
  openAttempt: null,
};
const owner = aViewer();
const editor = aViewer({ role: 'editor', id: 'usr_2' });

const statesAllowing = (action: keyof typeof POST_ACTIONS, viewer = owner): StoredState[] =>
  states.filter((state) => decideAction(action, post(state), viewer).kind === 'allowed');

it('allows each action in its states', () => {
  const plannable: StoredState[] = [
    ...states.filter((state) => state.startsWith('scheduled')),
    ...states.filter((state) => state.startsWith('draft')),
    'failed',
  ];
  for (const action of ['schedule', 'add_to_queue'] as const)
    expect(statesAllowing(action)).toEqual(plannable);
  expect(statesAllowing('share_now')).toEqual(
    plannable.filter((state) => !/_(reauth|locked)$/.test(state)),
  );
  expect(statesAllowing('move_to_drafts')).toEqual([
    ...states.filter((state) => state.startsWith('scheduled')),
    'failed',
  ]);
  expect(statesAllowing('request_approval')).toEqual([
    'scheduled',
    'scheduled_approved',
    'scheduled_declined',
    'recycling_active',
    'recycling_paused',
    'recycling_declined',
    'recurring',
  ]);
  for (const action of ['approve', 'decline'] as const)
    expect(statesAllowing(action)).toEqual(['scheduled_pending', 'recycling_pending', 'recurring']);
  expect(statesAllowing('retry')).toEqual(['failed']);
  expect(statesAllowing('resolve')).toEqual([]);
  expect(statesAllowing('pause')).toEqual(['recycling_active']);
  const resumable: StoredState[] = ['recycling_paused', 'recycling_failed'];
  const requiring = aViewer({ workspace: { ...owner.workspace, requiresApproval: true } });
  expect(statesAllowing('resume', requiring)).toEqual(resumable);
  expect(statesAllowing('resume')).toEqual([...resumable, 'recycling_pending']);
  expect(statesAllowing('unpublish')).toEqual(['published_posted', 'published_hidden']);
});

it('has the rights of edits and deletions', () => {
  for (const state of states)
    for (const viewer of [owner, editor, aViewer({ role: 'viewer' })]) {
      const subject = post(state);
      const refusal = (action: 'edit' | 'delete') => {
        const decision = decideAction(action, subject, viewer);
        return decision.kind === 'refused' ? decision.refusal : null;
      };
      expect(refusal('edit')).toEqual(editRefusal(subject, viewer));
      expect(refusal('delete')).toEqual(deletability(subject, viewer));
      const right = editRefusal(subject, viewer);
      if (right)
        for (const action of ['retry', 'resolve', 'pause', 'resume'] as const)
          expect(decideAction(action, subject, viewer)).toEqual({
            kind: 'refused',
            refusal: right,
          });
    }
});

it('removes only what the service can remove from its network', () => {
  const refusalOf = (given: Partial<Post>) =>
    decideAction('unpublish', post('published_posted', given), owner);
  const onNetwork = { ...account, sandbox: false, network: 'bluesky' as const };
  const refused = (message: string) => ({
    kind: 'refused',
    refusal: { code: 'RULE_VIOLATION', rule: 'D62', message: expect.stringContaining(message) },
  });
  expect(refusalOf({ account: onNetwork, remoteId: 'at://1' }).kind).toBe('allowed');
  expect(refusalOf({ account: onNetwork, remoteId: null })).toMatchObject(
    refused('does not have the ID of the post on bluesky'),
  );
  expect(refusalOf({ account: { ...onNetwork, network: 'tiktok' }, remoteId: '1' })).toMatchObject(
    refused('cannot remove posts from tiktok. Delete the post there'),
  );
  expect(
    refusalOf({ account: { ...onNetwork, needsReauth: true }, remoteId: 'at://1' }),
  ).toMatchObject(refused('Connect it again'));
  expect(refusalOf({ account: null })).toMatchObject(refused('has no account'));
  expect(decideAction('unpublish', post('published_deleted'), owner).kind).toBe('done');
});

it('changes nothing but labels while a post is being sent', () => {
  const sent = post('scheduled', { queuedAt: new Date(), armedAt: new Date() });
  for (const action of ['edit', 'revert'] as const)
    expect(decideAction(action, sent, owner)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'PUBLISHING', rule: 'D57' },
    });
});

it('lets owners and admins approve and decline, and no one else', () => {
  for (const action of ['approve', 'decline'] as const) {
    const decide = (given: Parameters<typeof aViewer>[0]) =>
      decideAction(action, post('scheduled_pending'), aViewer(given));
    expect(decide({ role: 'admin', id: 'usr_2' }).kind).toBe('allowed');
    expect(decide({ role: 'editor', postActions: true })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'FORBIDDEN', rule: 'D4' },
    });
  }
});

it('keeps the content of a post that may be on its network as it was sent', () => {
  const unconfirmed = post('failed', { publicationRecord: record });
  for (const action of ['edit', 'revert', 'schedule'] as const)
    expect(decideAction(action, unconfirmed, owner)).toMatchObject({
      kind: 'refused',
      refusal: { rule: 'D54', message: expect.stringMatching(/^It is unknown/) },
    });
  const editable = (subject: Post) => editability(subject, owner).filter(({ allowed }) => allowed);
  expect(editable(unconfirmed).map(({ field }) => field)).toEqual(['labels']);
  const known = post('failed', { publicationRecord: { ...record, result: 'failed' } });
  expect(editable(known).length).toBeGreaterThan(10);
  for (const action of ['edit', 'revert', 'schedule'] as const)
    expect(decideAction(action, known, owner).kind).toBe('allowed');
});

it('resolves what is unconfirmed, and reminders that are due', () => {
  const at = new Date();
  const kindOf = (subject: Post) => decideAction('resolve', subject, owner).kind;
  expect(kindOf(post('failed', { publicationRecord: record }))).toBe('allowed');
  expect(kindOf(post('failed', { publicationRecord: { ...record, result: 'failed' } }))).toBe(
    'refused',
  );
  expect(kindOf(post('scheduled', { reminder: true, queuedAt: at }))).toBe('allowed');
  expect(kindOf(post('scheduled', { reminder: true }))).toBe('refused');
  expect(kindOf(post('scheduled', { queuedAt: at }))).toBe('refused');
  expect(
    decideAction(
      'resolve',
      post('scheduled', { reminder: true, queuedAt: at, armedAt: at }),
      owner,
    ),
  ).toMatchObject({ kind: 'refused', refusal: { code: 'PUBLISHING' } });
});

it('retries only what could be scheduled', () => {
  const refusalOf = (given: Partial<Post>) => decideAction('retry', post('failed', given), owner);
  expect(refusalOf({ account: { ...account, needsReauth: true } })).toMatchObject({
    refusal: { path: ['accountId'], rule: 'D48' },
  });
  expect(refusalOf({ text: '' })).toMatchObject({ refusal: { path: ['text'], rule: 'D47' } });
});

it('says which action is allowed, already done or refused, and why', () => {
  const rights = new Map(
    actionRights(post('recycling_paused'), owner).map((right) => [right.action, right]),
  );
  expect([...rights.keys()]).toEqual(enumKeys(POST_ACTIONS));
  expect(rights.get('resume')).toEqual({
    action: 'resume',
    allowed: true,
    code: null,
    reason: null,
    rule: null,
  });
  expect(rights.get('pause')).toMatchObject({ allowed: false, code: null });
  expect(rights.get('retry')).toMatchObject({
    allowed: false,
    code: 'RULE_VIOLATION',
    rule: 'D56',
  });
  expect(
    actionRights(post('failed', { publicationRecord: record }), owner).find(
      ({ action }) => action === 'retry',
    ),
  ).toMatchObject({ allowed: true, reason: expect.stringContaining('confirmNotLive') });
});

it.each(states.filter((state) => state.startsWith('scheduled')))(
  'allows another time of a post that is %s with either mutation',
  (state) => {
    const isSuspended = /_(reauth|locked)$/.test(state);
    const suspended = post(state, { account: { ...account, needsReauth: isSuspended } });
    const viewer = aViewer({ workspace: { locked: isSuspended } });
    expect(decideAction('schedule', suspended, viewer).kind).toBe('allowed');
    expect(
      editability(suspended, viewer).find(({ field }) => field === 'scheduledAt'),
    ).toMatchObject({ allowed: true });
  },
);

it('publishes nothing at once in a locked workspace', () => {
  const viewer = aViewer({ workspace: { locked: true } });
  for (const [action, state] of [
    ['share_now', 'draft_undated'],
    ['retry', 'failed'],
  ] as const)
    expect(decideAction(action, post(state), viewer)).toMatchObject({
      kind: 'refused',
      refusal: { rule: 'D57' },
    });
});
