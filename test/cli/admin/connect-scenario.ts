import { randomBytes } from 'node:crypto';
import type { TerminalInput } from '../../../src/cli/terminal.js';
import { withLockFile } from '../../../src/embedded-postgres/lock-file.js';
import { createCredentialKeys } from '../../../src/persistence/credentials/credential-keys.js';
import { createCredentialStore } from '../../../src/persistence/credentials/credential-store.js';
import { aMastodonInstance } from '../../fixtures/mastodon-instance.js';
import { anOperator, piped, type CommandResult } from '../../fixtures/operator.js';
import { recordsIn } from '../../fixtures/records.js';
import { testDatabase } from '../../setup/database.js';

export const TOKEN = 'tok-7f1c0ffee-of-the-kiosk';
export const OTHER_TOKEN = 'another-token';

/** An operator who connects accounts of a Mastodon instance to a workspace. */
export async function connectScenario() {
  const key = randomBytes(32);
  const db = await testDatabase();
  const records = recordsIn(db);
  const instance = await aMastodonInstance({ token: TOKEN });
  /** State of one test: environment variables, standard input, and the workspace. */
  const state = {
    env: {} as NodeJS.ProcessEnv,
    input: piped('') as TerminalInput,
    workspaceId: '',
  };
  const { cli, json } = anOperator(
    () => ({
      DATABASE_URL: db.url,
      CREDENTIALS_KEY: key.toString('hex'),
      NETWORKS_ALLOW_LOOPBACK: '1',
      ...state.env,
    }),
    () => state.input,
  );
  const credentials = createCredentialStore(
    db,
    createCredentialKeys({ configured: [key], keyFile: null, withLockFile }),
  );
  const command = (network: string) =>
    `accounts connect ${network} --workspace ${state.workspaceId}`.split(' ');
  return {
    db,
    records,
    instance,
    state,
    credentials,
    connect: (...options: string[]): Promise<CommandResult> =>
      cli(...command('mastodon'), ...options),
    connectJson: (...options: string[]) => json(...command('mastodon'), ...options),
    connectOn: (network: string): Promise<CommandResult> => cli(...command(network)),
    accounts: () =>
      db.prisma.account.findMany({
        where: { workspaceId: state.workspaceId },
        orderBy: { createdAt: 'asc' },
      }),
    async reset() {
      // an account of a network is connected in one workspace at a time
      await db.prisma.accountCredential.deleteMany();
      state.workspaceId = (await records.aWorkspace()).id;
      [state.env, state.input] = [{}, piped('')];
      instance.requests.length = 0;
    },
    async close() {
      await instance.close();
      await db.drop();
    },
  };
}

/** Environment variables with the credentials of an instance. */
export const credentialVariables = ({ url }: { url: string }, accessToken = TOKEN) => ({
  CONNECT_MASTODON_INSTANCE: url,
  CONNECT_MASTODON_ACCESS_TOKEN: accessToken,
});
