import { useEffect, useMemo, useState } from 'react';
import { toLocalTime } from './accounts.js';
import { NetworkChoice, Outcome, useActions, type Target } from './connecting.js';
import { createLinkApi } from './link-api.js';

/** Path of the page. */
export const LINK_PAGE = '/connect/link';
/** Key in the session storage, which the browser deletes when the tab is closed. */
const STORAGE_KEY = 'posts-gateway:connect-link';

/**
 * Reads the secret of the link from the fragment, which browsers do not send, and removes it from
 * the address. The person comes back from a network without it.
 */
function takeSecret(): string {
  const secret = location.hash.slice(1);
  if (secret !== '') {
    sessionStorage.setItem(STORAGE_KEY, secret);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? '';
}

/** The page on which a person with a link connects their own accounts, and sees nothing else. */
export function LinkPage() {
  const api = useMemo(() => createLinkApi(takeSecret()), []);
  const { overview, actions } = useActions(api);
  const [target, setTarget] = useState<Target | null>(null);
  useEffect(() => {
    // Another link that is opened in the tab changes the fragment only.
    addEventListener('hashchange', () => location.reload());
  }, []);
  return (
    <main>
      <h1>Connect your accounts{overview && ` to ${overview.workspace}`}</h1>
      <Outcome actions={actions} />
      {overview && (
        <>
          <p>
            The workspace {overview.workspace} will be able to publish posts on the accounts that
            you connect. This link works until{' '}
            <time dateTime={overview.expires_at}>{toLocalTime(overview.expires_at)}</time>.
          </p>
          <NetworkChoice
            api={api}
            actions={actions}
            networks={overview.networks}
            target={target}
            onTarget={setTarget}
          />
        </>
      )}
    </main>
  );
}
