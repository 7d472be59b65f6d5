import { useCallback, useEffect, useRef, useState } from 'react';
import { networkName } from '../playground/network-name.js';
import { Choices } from './choices.js';
import type { ConnectableNetwork, ConnectingApi, PendingConnection } from './connect-api.js';
import { NetworkButtons, NetworkForm } from './networks.js';
import { namesOf, noticeOf, returned, type Notice } from './returned.js';

/** The last action on a page, and the connection with which a person came back to it. */
export interface Actions {
  readonly notice: Notice | null;
  /** The connection whose accounts the person has to choose; null if there is none. */
  readonly pending: PendingConnection | null;
  /** Runs an action, tells its result, and loads what the page shows. */
  run(work: () => Promise<Notice>): Promise<void>;
  clear(): void;
  /** Connects accounts of the pending connection. */
  finish(choices: readonly string[]): Promise<void>;
}

/** What a page shows, which is loaded again after every action, and its actions. */
export function useActions<Overview>(
  api: Pick<ConnectingApi, 'connection' | 'finish'> & { overview(): Promise<Overview> },
): { readonly overview: Overview | null; readonly actions: Actions } {
  const [overview, setOverview] = useState<Overview | null>(null);
  const [pending, setPending] = useState<PendingConnection | null>(null);
  const [notice, setNotice] = useState<Notice | null>(returned.notice);
  const tell = (error: unknown): void =>
    setNotice({ text: (error as Error).message, isProblem: true });
  const load = useCallback(() => api.overview().then(setOverview), [api]);

  useEffect(() => {
    setOverview(null);
    void load().catch(tell);
    if (returned.id === null) return;
    void api.connection(returned.id).then(
      (found) => {
        setNotice(noticeOf(found));
        setPending(found?.status === 'CHOOSE' ? found : null);
      },
      // Of another workspace, as the key may have changed, or of a link that is not valid any more,
      // which the overview tells.
      () => undefined,
    );
  }, [api, load]);

  async function run(work: () => Promise<Notice>): Promise<void> {
    setNotice(null);
    try {
      setNotice(await work());
      await load();
    } catch (error) {
      tell(error);
    }
  }
  const finish = (choices: readonly string[]): Promise<void> =>
    run(async () => {
      const names = await api.finish(pending!.id, choices);
      setPending(null);
      return { text: `Connected ${namesOf(names)}.` };
    });
  return { overview, actions: { notice, pending, run, clear: () => setNotice(null), finish } };
}

/** What became of the last action, and the choice of accounts that a person came back with. */
export function Outcome({ actions: { notice, pending, finish } }: { actions: Actions }) {
  return (
    <>
      <div role="status" aria-live="polite">
        {notice && <p className={notice.isProblem ? 'problem' : 'done'}>{notice.text}</p>}
      </div>
      {pending && <Choices key={pending.id} choices={pending.choices} onFinish={finish} />}
    </>
  );
}

/** What a person connects. */
export interface Target {
  readonly network: string;
  /** The account to connect again; null for a new one. */
  readonly account: { readonly id: string; readonly name: string } | null;
}

/** The networks as buttons, and the form of the chosen one. */
export function NetworkChoice({
  api,
  actions: { run, clear },
  networks,
  target,
  onTarget,
}: {
  api: Pick<ConnectingApi, 'start' | 'connectByCredentials'>;
  actions: Pick<Actions, 'run' | 'clear'>;
  networks: readonly ConnectableNetwork[];
  target: Target | null;
  onTarget(target: Target | null): void;
}) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, [target]);
  const chosen = networks.find(({ network }) => network === target?.network);
  const connected = { network: target?.network ?? '', accountId: target?.account?.id };
  return (
    <>
      <NetworkButtons
        networks={networks}
        chosen={target?.network ?? null}
        onChoose={(network) => {
          clear();
          onTarget({ network, account: null });
        }}
      />
      {chosen && (
        <div ref={form}>
          <NetworkForm
            key={`${chosen.network} ${target?.account?.id}`}
            network={chosen}
            reconnected={target?.account?.name ?? null}
            onConsent={(entered) =>
              run(async () => {
                location.assign(await api.start({ ...entered, ...connected }));
                return { text: `Continue on the page of ${networkName(chosen.network)}.` };
              })
            }
            onCredentials={(credentials) =>
              run(async () => {
                const name = await api.connectByCredentials(connected, credentials);
                onTarget(null);
                return { text: `Connected ${name}.` };
              })
            }
          />
        </div>
      )}
    </>
  );
}
