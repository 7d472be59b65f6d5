import type { ConnectableNetwork, ConnectingApi, PendingConnection } from './connect-api.js';

/** What a person can do with a link. */
export interface LinkOverview {
  /** Name of the workspace to which accounts are connected. */
  readonly workspace: string;
  readonly expires_at: string;
  readonly networks: readonly ConnectableNetwork[];
}

/** Calls the gateway with the secret of a link. All functions reject with an Error for users. */
export interface LinkApi extends ConnectingApi {
  overview(): Promise<LinkOverview>;
}

/** The gateway's presentation of a connection. */
type Found = Pick<PendingConnection, 'id' | 'network' | 'error'> & {
  readonly status: string;
  readonly choices: readonly Omit<PendingConnection['choices'][number], 'account'>[];
  readonly accounts: readonly string[];
};

/** Why a request was refused. */
interface Refused {
  readonly errors: readonly string[];
  /** Instead of `errors` if there were too many requests. */
  readonly error: string;
}

/** Creates the calls of the page of a link with its secret. */
export function createLinkApi(secret: string): LinkApi {
  async function call<Answer>(path: string, body?: object): Promise<Answer> {
    const response = await fetch(`/connect/link/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: `Connect-Link ${secret}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (!response) throw new Error('Could not reach the gateway. Try again.');
    const answer = (await response.json()) as Answer & Partial<Refused>;
    const { errors = [answer.error ?? `The gateway responded with status ${response.status}.`] } =
      answer;
    if (!response.ok) throw new Error(errors.join(' '));
    return answer;
  }

  return {
    async overview() {
      const { networks, ...overview } = await call<LinkOverview>('offers');
      return {
        ...overview,
        networks: networks.map(({ network, connects, credentials }) => ({
          network: network.toUpperCase(),
          connects: connects.map(
            (method) => method.toUpperCase() as ConnectableNetwork['connects'][number],
          ),
          configured: true,
          redirectUrl: null,
          missingSettings: [],
          credentials,
        })),
      };
    },
    async connection(id) {
      const { status, choices, accounts, ...found } = await call<Found>(`connections/${id}`);
      return {
        ...found,
        status: status.toUpperCase() as PendingConnection['status'],
        choices: choices.map((choice) => ({ ...choice, account: null })),
        accounts: accounts.map((name) => ({ name })),
      };
    },
    async start({ network, server, way }) {
      const { authorize_url: url } = await call<{ authorize_url: string }>('connections', {
        network: network.toLowerCase(),
        server,
        pages: way === 'pages',
        login: way === 'facebook' ? 'facebook' : undefined,
      });
      return url;
    },
    finish: async (id, choices) => (await call<Found>(`connections/${id}`, { choices })).accounts,
    async connectByCredentials({ network }, credentials) {
      const entries = Object.entries(credentials).map(([name, value]) => ({ name, value }));
      const body = { network: network.toLowerCase(), credentials: entries };
      return (await call<{ name: string }>('accounts', body)).name;
    },
  };
}
