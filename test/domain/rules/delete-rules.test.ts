import { deletability } from '../../../src/domain/rules/delete-rules.js';
import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import { ROLES, enumKeys } from '../../../src/domain/enums.js';
import { aPost, aViewer } from '../../fixtures/posts.js';

const EITHER = [true, false];
const CASES = enumKeys(ROLES).flatMap((role) =>
  EITHER.flatMap((postActions) =>
    EITHER.flatMap((own) =>
      EITHER.flatMap((requiresApproval) =>
        EITHER.flatMap((queued) =>
          EITHER.map((reminder) => ({
            role,
            postActions,
            own,
            requiresApproval,
            queued,
            reminder,
          })),
        ),
      ),
    ),
  ),
);

/** The document's five rules and D4, restated as one expression each. */
test.each(CASES)(
  '$role, post actions $postActions, own $own, approval $requiresApproval, queued $queued, reminder $reminder',
  ({ role, postActions, own, requiresApproval, queued, reminder }) => {
    const viewer = aViewer({ role, postActions, workspace: { requiresApproval } });
    for (const storedState of enumKeys(STORED_STATES) as readonly StoredState[]) {
      const isManager = role === 'owner' || role === 'admin';
      const isPrivate = storedState.startsWith('draft_private');
      const ruleOne = role !== 'viewer' && (own || isManager || postActions);
      const ruleTwo = !isPrivate || own;
      const ruleThree = !(storedState.startsWith('published') && requiresApproval && !isManager);
      const ruleFour = !queued || reminder;
      const refusal = deletability(
        aPost({
          storedState,
          creatorId: own ? 'usr_1' : 'usr_2',
          queuedAt: queued ? new Date(0) : null,
          reminder,
        }),
        viewer,
      );
      const expected = !(ruleOne && ruleTwo && ruleThree)
        ? 'FORBIDDEN'
        : ruleFour
          ? null
          : 'RULE_VIOLATION';
      expect([storedState, refusal?.code ?? null]).toEqual([storedState, expected]);
    }
  },
);

test('rule 3 takes precedence over authorship, and another user’s private draft is refused like a post of another workspace', () => {
  const editor = aViewer({
    role: 'editor',
    postActions: true,
    workspace: { requiresApproval: true },
  });
  expect(deletability(aPost({ storedState: 'published_posted' }), editor)?.rule).toBe(
    'Delete posts, rule 3',
  );
  expect(
    deletability(aPost({ storedState: 'draft_private_dated', creatorId: 'usr_2' }), aViewer()),
  ).toMatchObject({ code: 'FORBIDDEN', message: 'The post is not accessible in this workspace.' });
});

test('a series cannot be deleted while one of its children is queued', () => {
  expect(
    deletability(aPost({ storedState: 'recurring', hasQueuedChild: true }), aViewer()),
  ).toMatchObject({ code: 'RULE_VIOLATION', rule: 'D23' });
});
