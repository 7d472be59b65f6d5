import { storedStateNumbers, STATE_FILTERS } from '../../domain/posts/states.js';

const PLANNED_STATES = storedStateNumbers([
  ...STATE_FILTERS.scheduled.storedStates,
  'recycling_active',
  'recycling_paused',
  'recycling_pending',
  'recycling_reauth',
  'recycling_locked',
]);

/** Whether the post `p` has its time to itself in the queue of its account (D61). */
export const IS_PLANNED = `p.stored_state IN (${PLANNED_STATES.join(', ')}) AND p.deleted_at IS NULL`;
