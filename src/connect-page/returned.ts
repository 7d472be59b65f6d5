import type { PendingConnection } from './connect-api.js';

/** What the page tells about the last action. */
export interface Notice {
  readonly text: string;
  readonly isProblem?: boolean;
}

/** Names in a sentence. */
export const namesOf = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

const TOO_LATE: Notice = {
  text: 'The connection was not completed in time. Start again.',
  isProblem: true,
};

/** What became of a connection whose person came back from the network. */
export function noticeOf(
  pending: Pick<PendingConnection, 'status' | 'accounts' | 'error'> | null,
): Notice | null {
  if (!pending) return { text: 'This connection is not known. Start again.', isProblem: true };
  const { status, accounts, error } = pending;
  if (status === 'CONNECTED')
    return { text: `Connected ${namesOf(accounts.map(({ name }) => name))}.` };
  if (status === 'FAILED') return { text: error!.message, isProblem: true };
  if (status === 'CHOOSE') return { text: 'Choose the accounts to connect.' };
  return status === 'EXPIRED' ? TOO_LATE : null;
}

/** Why a person came back without a connection, by the code in the address. */
const LOST: Readonly<Record<string, Notice>> = {
  CONNECTION_EXPIRED: TOO_LATE,
  FORBIDDEN: {
    text: 'The connection was started in another browser, so that nothing was connected. Start again here.',
    isProblem: true,
  },
};

/** Reads the result from the address once, so that a reload does not tell of it again. */
function takeReturned(): { readonly id: string | null; readonly notice: Notice | null } {
  const parameters = new URLSearchParams(location.search);
  if (parameters.has('status')) history.replaceState(null, '', location.pathname);
  return {
    id: parameters.get('connection'),
    notice: LOST[parameters.get('code') ?? ''] ?? null,
  };
}
/** The connection with which a person came back, or why they came back without one. */
export const returned = takeReturned();
