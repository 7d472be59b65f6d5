import { deletability } from '../../src/domain/rules/delete-rules.js';
import { CELLS, type Cell } from '../../src/domain/posts/states.js';
import { ROLES, wordsOf } from '../../src/domain/vocabulary.js';
import { aPost, aViewer } from '../fixtures/posts.js';

const EITHER = [true, false];
const CASES = wordsOf(ROLES).flatMap((role) =>
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

/** The document's five rules and D4, said again in one expression each. */
test.each(CASES)(
  '$role, post actions $postActions, own $own, approval $requiresApproval, queued $queued, reminder $reminder',
  ({ role, postActions, own, requiresApproval, queued, reminder }) => {
    const viewer = aViewer({ role, postActions, workspace: { requiresApproval } });
    for (const cell of wordsOf(CELLS) as readonly Cell[]) {
      const isManager = role === 'owner' || role === 'admin';
      const isPrivate = cell.startsWith('draft_private');
      const ruleOne = role !== 'viewer' && (own || isManager || postActions);
      const ruleTwo = !isPrivate || own;
      const ruleThree = !(cell.startsWith('published') && requiresApproval && !isManager);
      const ruleFour = !queued || reminder;
      const refusal = deletability(
        aPost({
          cell,
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
      expect([cell, refusal?.code ?? null]).toEqual([cell, expected]);
    }
  },
);

test('rule 3 outranks authorship, and a stranger’s private draft is as far away as another workspace’s post', () => {
  const editor = aViewer({
    role: 'editor',
    postActions: true,
    workspace: { requiresApproval: true },
  });
  expect(deletability(aPost({ cell: 'published_posted' }), editor)?.rule).toBe(
    'Delete posts, rule 3',
  );
  expect(
    deletability(aPost({ cell: 'draft_private_dated', creatorId: 'usr_2' }), aViewer()),
  ).toMatchObject({ code: 'FORBIDDEN', message: 'The post is not accessible in this workspace.' });
});

test('a series is not deleted while a child of it is queued', () => {
  expect(deletability(aPost({ cell: 'recurring', hasQueuedChild: true }), aViewer())).toMatchObject(
    { code: 'RULE_VIOLATION', rule: 'D23' },
  );
});
