import { DATABASE } from './changes-statement.js';

/**
 * SQL expression of the public ID of the event `e`, which is the same in all APIs and messages. It
 * does not show the position of the event, which would tell how much happens in other workspaces.
 */
export const EVENT_ID = `('evt_' || left(encode(sha256(convert_to('event ' || ${DATABASE} || ' ' || e.transaction_id || ' ' || e.sequence, 'UTF8')), 'hex'), 24))`;
