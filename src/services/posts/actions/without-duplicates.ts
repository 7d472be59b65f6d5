import { duplicateMessages, toContentCandidate } from '../creation/check-duplicates.js';
import { refusedPlan, type PlanContext, type PostPlan } from './post-plan.js';

/**
 * Refuses the posts that would have the account, text and media of another one that is planned or
 * published within 24 hours (D49).
 */
export async function withoutDuplicates(
  { store }: PlanContext,
  plans: readonly PostPlan[],
): Promise<readonly PostPlan[]> {
  const messages = await duplicateMessages(
    store,
    plans.map((plan) => (plan.kind === 'changed' ? toContentCandidate(plan.post) : null)),
  );
  return plans.map((plan, index) => {
    const message = messages[index];
    return message == null
      ? plan
      : refusedPlan({
          code: 'DUPLICATE_CONTENT',
          message: `${message} Set allowDuplicate to schedule it nevertheless.`,
          path: ['allowDuplicate'],
          rule: 'D49',
        });
  });
}
