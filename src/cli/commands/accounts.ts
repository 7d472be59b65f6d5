import { setTimeout } from 'node:timers/promises';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import { checkContent } from '../../domain/creation/check-publishable.js';
import { enumKeys, POST_TYPES, type PostType } from '../../domain/enums.js';
import {
  ACCOUNT_TYPES,
  type Credentials,
  type AccountType,
} from '../../domain/networks/network-definition.js';
import {
  credentialFieldsOf,
  NETWORKS,
  type Network,
  type CredentialField,
} from '../../domain/networks/networks.js';
import { mediaTypeOf } from '../../domain/posts/post-content.js';
import { BLANK_POST, type Post } from '../../domain/posts/post.js';
import type { AccountRecord } from '../../persistence/credentials/account-store.js';
import { OPERATOR } from '../../domain/access/viewer.js';
import type { ConnectionManager } from '../../services/accounts/account-connections.js';
import { trialText, tryAccount, type TrialStep } from '../../services/accounts/try-account.js';
import { readName, CliError, choiceOption } from '../arguments.js';
import type { Cli, CliContext } from '../cli-context.js';
import type { TerminalInput } from '../terminal.js';
import { assertWorkspaceExists, listRecords } from './records.js';

/** Adds the commands that manage accounts and their stored credentials. */
export function addAccountCommands(program: Command, cli: Cli): void {
  const accounts = program.command('accounts').description('manage social accounts');
  addConnectAccount(accounts, cli);
  addListAccounts(accounts, cli);
  addDisconnectAccount(accounts, cli);
  addCheckAccount(accounts, cli);
  addTryAccount(accounts, cli);
  addResealCredentials(accounts, cli);
  addCreateAccount(accounts, cli);
}

interface ConnectOptions {
  workspace: string;
  account?: string;
  name?: string;
  stdin?: boolean;
}

/**
 * Prompts for credentials, verifies them with the network and stores them sealed.
 */
function addConnectAccount(accounts: Command, { withContext, printResult, input }: Cli): void {
  accounts
    .command('connect')
    .description(
      'connect an account so that the gateway can publish and edit its posts on the network, or renew the credentials of an account that needs reauthorization. The command prompts for the credentials, verifies them with the network, and stores them encrypted',
    )
    .addArgument(new Argument('<network>', 'network of the account').choices(enumKeys(NETWORKS)))
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .option(
      '--account <id>',
      'account to connect (by default, the account that the network reports, which the command creates if needed)',
    )
    .option('--name <name>', 'display name (by default, the name on the network)', readName)
    .option(
      '--stdin',
      'read the credentials from a JSON object on standard input. Alternatively, set the environment variables that start with CONNECT_',
    )
    .action((network: Network, { workspace, account, name, stdin = false }: ConnectOptions) =>
      withContext(async (context) => {
        await assertWorkspaceExists(context.admin, workspace);
        await context.credentials.assertReady();
        const credentials = await readCredentials(network, credentialFieldsOf(network), {
          settings: context.connectSettings,
          input,
          fromStdin: stdin,
        });
        const outcome = await context.accountConnections().connect(managerOf(workspace), {
          network,
          credentials,
          accountId: account ?? null,
          name,
        });
        if (outcome.kind === 'refused') throw new CliError(outcome.refusals[0].message);
        const {
          account: { id, name: accountName, socialId },
          isNew,
          restored,
        } = outcome;
        const note =
          restored > 0
            ? ` Restored ${restored} ${restored === 1 ? 'post' : 'posts'} that waited for reauthorization.`
            : '';
        printResult(
          { id, name: accountName, socialId, isNew, restored },
          `${isNew ? 'New account' : 'Account'} ${accountName} (${socialId}) is connected: ${id}.${note}`,
        );
      }),
    );
}

/** An operator manages every workspace like its owner. */
const managerOf = (workspaceId: string): ConnectionManager => ({
  workspace: { id: workspaceId },
  role: 'owner',
  actor: OPERATOR,
});

interface CredentialSources {
  /** CONNECT_ environment variables by full name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly input: TerminalInput;
  /** Whether to read the fields from standard input, as a JSON object. */
  readonly fromStdin: boolean;
}

/**
 * Environment variable of a field, such as CONNECT_MASTODON_ACCESS_TOKEN. The network in the name
 * prevents sending one network's secret to another.
 */
export const environmentVariableOf = (network: Network, field: string): string =>
  `CONNECT_${network}_${field.replace(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();

/**
 * Reads the credentials of a network from standard input, from the environment, or from prompts on
 * the terminal, which do not echo secrets. Never reads them from the command line, which other
 * users of the machine can see.
 * @throws CliError naming the fields that are missing or unknown, never a value
 */
async function readCredentials(
  network: Network,
  fields: readonly CredentialField[],
  { settings, input, fromStdin }: CredentialSources,
): Promise<Credentials> {
  const piped = fromStdin ? readCredentialObject(await input.readAll(), fields) : {};
  const credentials = Object.fromEntries(
    fields.map(({ name }) => [
      name,
      piped[name] ?? settings[environmentVariableOf(network, name)] ?? '',
    ]),
  );
  for (const field of fields) {
    if (credentials[field.name] === '' && input.isTerminal && !fromStdin)
      credentials[field.name] = (await input.prompt(formatPrompt(field), field.secret)).trim();
  }
  const missing = fields.filter(({ name, optional }) => credentials[name] === '' && !optional);
  if (missing.length > 0)
    throw new CliError(
      `${network} needs ${missing.map(({ name }) => name).join(', ')}: ${describeSources(network, missing)}`,
    );
  return credentials;
}

function formatPrompt({ name, description, secret, optional }: CredentialField): string {
  const notes = [secret && 'hidden', optional && 'optional'].filter(Boolean).join(', ');
  return `${description}\n${name}${notes === '' ? '' : ` (${notes})`}: `;
}

const describeSources = (network: Network, missing: readonly CredentialField[]): string =>
  `answer the prompts in a terminal, set ${missing.map(({ name }) => environmentVariableOf(network, name)).join(', ')}, or pass a JSON object on standard input with --stdin`;

function readCredentialObject(
  text: string,
  fields: readonly CredentialField[],
): Record<string, string> {
  const value = parseJson(text);
  const names = fields.map(({ name }) => name);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CliError(`Standard input must be a JSON object with the fields ${names.join(', ')}`);
  const entries = Object.entries(value);
  const unexpected = entries
    .filter(([name, field]) => !names.includes(name) || typeof field !== 'string')
    .map(([name]) => JSON.stringify(name));
  if (unexpected.length > 0)
    throw new CliError(
      `Standard input has invalid fields: ${unexpected.join(', ')}. Expected strings for ${names.join(', ')}`,
    );
  return Object.fromEntries(entries.map(([name, field]) => [name, (field as string).trim()]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the error of JSON.parse quotes the text, which may contain a secret
  }
}

function addListAccounts(accounts: Command, cli: Cli): void {
  accounts
    .command('list')
    .description('list accounts and their status')
    .option('--workspace <id>', 'list only the accounts of this workspace')
    .action(({ workspace }: { workspace?: string }) =>
      listRecords(
        cli,
        async (context) => {
          if (workspace !== undefined) await assertWorkspaceExists(context.admin, workspace);
          return context.accounts.accounts(workspace);
        },
        {
          none: 'There are no accounts.',
          columns: {
            id: ({ id }) => id,
            workspace: ({ workspaceId }) => workspaceId,
            network: ({ network }) => network,
            type: ({ type }) => type,
            status: accountStatus,
            name: ({ name }) => name,
          },
        },
      ),
    );
}

function addDisconnectAccount(accounts: Command, { withContext, printResult }: Cli): void {
  accounts
    .command('disconnect')
    .description('delete the stored credentials of an account. The account and its posts remain')
    .argument('<id>', 'ID of the account (acc_…)')
    .action((id: string) =>
      withContext(async (context) => {
        const account = await findAccount(context, id);
        const outcome = await context
          .accountConnections()
          .disconnect(managerOf(account.workspaceId), id);
        if (outcome.kind === 'refused') throw new CliError(outcome.refusals[0].message);
        const { wasConnected } = outcome;
        printResult(
          { id, disconnected: wasConnected },
          wasConnected ? `${id} is disconnected.` : `${id} was not connected.`,
        );
      }),
    );
}

async function findAccount({ accounts }: CliContext, id: string): Promise<AccountRecord> {
  const account = await accounts.find({ id });
  if (!account) throw new CliError(`Account ${JSON.stringify(id)} does not exist`);
  return account;
}

function addCheckAccount(accounts: Command, { withContext, printResult, markFailed }: Cli): void {
  accounts
    .command('check')
    .description('ask the network whether it accepts the credentials of an account')
    .argument('<id>', 'ID of the account (acc_…)')
    .action((id: string) =>
      withContext(async (context) => {
        const { workspaceId } = await findAccount(context, id);
        const connections = context.accountConnections();
        const outcome = await connections.check(managerOf(workspaceId), id);
        if (outcome.kind === 'refused') throw new CliError(outcome.refusals[0].message);
        const { health, message } = (await connections.byAccount([id])).get(id)!;
        printResult({ id, health, message }, message === null ? `${id} is connected.` : message);
        if (health !== 'ok') markFailed();
      }),
    );
}

interface TryOptions {
  type: PostType;
  media?: string;
  option: Readonly<Record<string, string>>;
  keep?: boolean;
}

const readOption = (
  text: string,
  others: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> => {
  const [name, ...value] = text.split('=');
  if (!name || value.length === 0) throw new InvalidArgumentError('It must be name=value.');
  return { ...others, [name]: value.join('=') };
};

const BARE_ATTACHMENT = {
  id: '',
  altText: null,
  title: null,
  defaultThumbnail: null,
  thumbnails: null,
  userTags: [],
  collaboratorTags: [],
  productTags: [],
};

/** The test post, which the network would take. @throws CliError with what is missing */
function toTrialPost(
  { ids, clock }: CliContext,
  account: AccountRecord,
  { type, media: url, option }: TryOptions,
): Post {
  const at = clock.now();
  const text = trialText(at);
  const media = url === undefined ? [] : [{ ...BARE_ATTACHMENT, type: mediaTypeOf(url), url }];
  const post: Post = {
    ...BLANK_POST,
    id: ids.document(),
    databaseId: 0,
    storedState: 'scheduled',
    workspaceId: account.workspaceId,
    type,
    text,
    title: 'Test',
    media,
    scheduledAt: at,
    createdAt: at,
    updatedAt: at,
    creatorId: '',
    user: { id: '', name: 'posts-gateway', picture: null },
    network: account.network,
    accountId: account.id,
    account,
    networkOptions: option as Post['networkOptions'],
  };
  const { name, publishing } = NETWORKS[account.network];
  if (!publishing.postTypes.includes(type))
    throw new CliError(
      `The gateway publishes no posts of the type ${type} on ${name}. Set --type to ${publishing.postTypes.join(', ')}`,
    );
  const [refusal] = checkContent(post, account.network);
  if (refusal)
    throw new CliError(
      `${refusal.message} Set what is missing with --media <url> or --option <name=value>`,
    );
  return post;
}

function addTryAccount(accounts: Command, cli: Cli): void {
  const { withContext, printResult, markFailed } = cli;
  accounts
    .command('try')
    .description(
      'publish a test post on the network of an account, look for it, edit and remove it, and print what the network answered. Readers of the account can see the post meanwhile',
    )
    .argument('<id>', 'ID of the account (acc_…)')
    .addOption(
      choiceOption('--type <type>', 'type of the post', enumKeys(POST_TYPES)).default('status'),
    )
    .option('--media <url>', 'public URL of a picture or video for the post')
    .option(
      '--option <name=value>',
      'option of the network, such as boardId=1 (repeatable)',
      readOption,
    )
    .option('--keep', 'leave the post on the network')
    .action((id: string, { option = {}, ...options }: Partial<TryOptions> & { type: PostType }) =>
      withContext(async (context) => {
        const account = await findAccount(context, id);
        const { unpublishes } = NETWORKS[account.network].publishing;
        const keeps = options.keep ?? false;
        if (!unpublishes && !keeps)
          throw new CliError(
            `The gateway cannot remove posts on ${NETWORKS[account.network].name}. Add --keep, and remove the post yourself`,
          );
        const post = toTrialPost(context, account, { ...options, option });
        const connection = await context.connectAccount(account);
        if (connection.kind === 'failed') throw new CliError(connection.message);
        const { adapter, credentials } = connection;
        const { publisher } = adapter;
        if (!publisher)
          throw new CliError(`The gateway does not publish on ${NETWORKS[account.network].name}`);
        const steps: TrialStep[] = [];
        const ok = await tryAccount({
          adapter: { ...adapter, publisher },
          target: { account, credentials, post },
          keeps,
          clock: context.clock,
          pause: (ms) => setTimeout(ms),
          report: (step) => steps.push(step),
        });
        printResult(
          { id, ok, steps },
          steps
            .map(({ step, ok: isOk, saw }) => `${step}: ${isOk ? 'ok' : 'FAILED'}. ${saw}`)
            .join('\n'),
        );
        if (!ok) markFailed();
      }),
    );
}

function addResealCredentials(
  accounts: Command,
  { withContext, printResult, markFailed }: Cli,
): void {
  accounts
    .command('reseal')
    .description(
      'encrypt all credentials with the first key of CREDENTIALS_KEY. Afterward, you can remove the other keys',
    )
    .action(() =>
      withContext(async ({ credentials }) => {
        const outcome = await credentials.reseal();
        printResult(
          outcome,
          [
            `${outcome.resealed} re-encrypted, ${outcome.upToDate} already encrypted with this key, ${outcome.failed.length} could not be decrypted.`,
            ...outcome.failed,
          ].join('\n'),
        );
        if (outcome.failed.length > 0) markFailed();
      }),
    );
}

function accountStatus({ sandbox, connectedAt, needsReauth }: AccountRecord): string {
  if (sandbox) return 'sandbox';
  if (needsReauth) return 'needs reauthorization';
  return connectedAt ? 'connected' : 'not connected';
}

interface CreateAccountOptions {
  workspace: string;
  name: string;
  network: Network;
  type?: AccountType;
  socialId: string;
  sandbox: boolean;
}

function addCreateAccount(accounts: Command, { withContext, printResult }: Cli): void {
  accounts
    .command('create')
    .description(
      'create an account without credentials. To publish or edit posts on the network, use `accounts connect` instead',
    )
    .requiredOption('--workspace <id>', 'ID of the workspace')
    .requiredOption('--name <name>', 'display name', readName)
    .addOption(
      choiceOption(
        '--network <network>',
        'network of the account',
        enumKeys<Network>(NETWORKS),
      ).makeOptionMandatory(),
    )
    .addOption(
      choiceOption(
        '--type <type>',
        'type of the account, by default the first type that the network supports',
        enumKeys<AccountType>(ACCOUNT_TYPES),
      ),
    )
    .requiredOption('--social-id <id>', 'ID of the account on the network', readName)
    .option(
      '--sandbox',
      'put the account on the sandbox network, so that nothing is sent to the real network',
      false,
    )
    .action((options: CreateAccountOptions) =>
      withContext(async ({ admin, ids }) => {
        const { workspace, name, network, socialId, sandbox } = options;
        await assertWorkspaceExists(admin, workspace);
        const type = readAccountType(options);
        const id = ids.prefixed('acc');
        await admin.addAccount(workspace, {
          id,
          name,
          network,
          type,
          socialId,
          picture: null,
          needsReauth: false,
          sandbox,
        });
        printResult({ id, name }, `Account ${name}: ${id}`);
      }),
    );
}

function readAccountType({ network, type }: CreateAccountOptions): AccountType {
  const types: readonly [AccountType, ...AccountType[]] = NETWORKS[network].accountTypes;
  if (type !== undefined && !types.includes(type))
    throw new CliError(`${network} has no account type ${type}: use ${types.join(', ')}`);
  return type ?? types[0];
}
