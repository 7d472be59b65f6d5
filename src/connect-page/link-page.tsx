import { useEffect, useMemo, useState } from 'react';
import { networkName } from '../playground/network-name.js';
import { toLocalTime } from './accounts.js';
import { Choices } from './choices.js';
import type { ConnectTarget, PendingConnection } from './connect-api.js';
import { createLinkApi, type LinkOverview } from './link-api.js';
import { NetworkButtons, NetworkForm } from './networks.js';
import { namesOf, noticeOf, returned, type Notice } from './returned.js';

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

const toProblem = (error: unknown): Notice => ({
  text: (error as Error).message,
  isProblem: true,
});

/** The page on which a person with a link connects their own accounts, and sees nothing else. */
export function LinkPage() {
  const api = useMemo(() => createLinkApi(takeSecret()), []);
  const [overview, setOverview] = useState<LinkOverview | null>(null);
  const [pending, setPending] = useState<PendingConnection | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [notice, setNotice] = useState<Notice | null>(returned.notice);

  const run = async (work: () => Promise<Notice | null>): Promise<void> => {
    setNotice(null);
    await work().then(setNotice, (error: unknown) => setNotice(toProblem(error)));
  };
  useEffect(() => {
    // Another link that is opened in the tab changes the fragment only.
    addEventListener('hashchange', () => location.reload());
    void api.overview().then(setOverview, (error: unknown) => setNotice(toProblem(error)));
    if (returned.id === null) return;
    void api.connection(returned.id).then(
      (found) => {
        setNotice(noticeOf(found));
        setPending(found.status === 'CHOOSE' ? found : null);
      },
      () => undefined, // the link is not valid any more, which the overview tells
    );
  }, [api]);

  const network = overview?.networks.find((offered) => offered.network === chosen);
  return (
    <main>
      <h1>Connect your accounts{overview && ` to ${overview.workspace}`}</h1>
      <div role="status" aria-live="polite">
        {notice && <p className={notice.isProblem ? 'problem' : 'done'}>{notice.text}</p>}
      </div>
      {pending && (
        <Choices
          choices={pending.choices}
          onFinish={(ids) =>
            run(async () => {
              const names = await api.finish(pending.id, ids);
              setPending(null);
              return { text: `Connected ${namesOf(names)}.` };
            })
          }
        />
      )}
      {overview && (
        <>
          <p>
            The workspace {overview.workspace} will be able to publish posts on the accounts that
            you connect. This link works until{' '}
            <time dateTime={overview.expires_at}>{toLocalTime(overview.expires_at)}</time>.
          </p>
          <NetworkButtons
            networks={overview.networks}
            chosen={chosen}
            onChoose={(next) => {
              setNotice(null);
              setChosen(next);
            }}
          />
        </>
      )}
      {network && (
        <NetworkForm
          key={network.network}
          network={network}
          reconnected={null}
          onConsent={(entered) =>
            run(async () => {
              const target = { ...entered, network: network.network } as ConnectTarget;
              location.assign(await api.start(target));
              return { text: `Continue on the page of ${networkName(network.network)}.` };
            })
          }
          onCredentials={(credentials) =>
            run(async () => {
              const name = await api.connectByCredentials(network.network, credentials);
              setChosen(null);
              return { text: `Connected ${name}.` };
            })
          }
        />
      )}
    </main>
  );
}
