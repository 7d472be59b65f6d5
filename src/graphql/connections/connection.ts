import {
  Field,
  ID,
  InputType,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { viewerOf } from '../../domain/access/viewer.js';
import {
  CONNECTION_LIMITS,
  type Connection,
  type ConnectionChoice,
  type ConnectionError,
  type ConnectionStatus,
} from '../../domain/connections/connection.js';
import type { ConsentWay } from '../../domain/connections/oauth-rules.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { toConsentManager } from '../../services/accounts/consents.js';
import { AccountObject } from '../account.js';
import type { GatewayContext } from '../context.js';
import { badUserInput } from '../schema/connection.js';
import { optional } from '../schema/descriptions.js';
import { ConnectionStatusEnum, DateTime, ErrorCodeEnum, NetworkEnum } from '../schema/enums.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { MutationInput, MutationPayload, toPayload } from '../schema/mutation.js';
import { MANAGERS } from './account-connection.js';

/** A connection, with the page of the network after its start. */
type ShownConnection = Connection & { readonly authorizeUrl?: string };

@ObjectType('ConnectionChoice', {
  simpleResolvers: true,
  description: 'Account that a person can connect.',
})
class ConnectionChoiceObject {
  @Field(() => ID, { description: 'ID within the connection.' }) id!: string;
  @Field(() => String, { description: 'Name on the network.' }) name!: string;
  @Field(() => String, { description: 'Account type, such as page or channel.' }) kind!: string;
  @Field(() => String, optional('HTTPS URL of the profile picture.')) picture!: string | null;
}

@Resolver(() => ConnectionChoiceObject)
export class ConnectionChoiceResolver {
  @FieldResolver(() => AccountObject, {
    nullable: true,
    description: 'Account of the workspace that it already is. Null if it is none.',
  })
  async account(
    @Root() { accountId }: ConnectionChoice,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<Account | null> {
    return accountId === null ? null : loaders.account.load(accountId);
  }
}

@ObjectType('ConnectionError', {
  simpleResolvers: true,
  description: 'Reason why no account was connected.',
})
class ConnectionErrorObject implements ConnectionError {
  @Field(() => ErrorCodeEnum, { description: 'Error code.' }) code!: ErrorCode;
  @Field(() => String, { description: 'What happened, in one sentence.' }) message!: string;
}

@ObjectType('Connection', {
  simpleResolvers: true,
  description: 'Connection of accounts by consent on a page of the network.',
})
class ConnectionObject {
  @Field(() => ID, { description: 'ID: `con_` followed by letters and digits.' }) id!: string;
  @Field(() => NetworkEnum, { description: 'Network.' }) network!: Network;
  @Field(() => ConnectionStatusEnum, { description: 'How far the connection has come.' })
  status!: ConnectionStatus;
  @Field(() => DateTime, {
    description: 'Time at which the connection expires, unless it is completed.',
  })
  expiresAt!: Date;
  @Field(() => [ConnectionChoiceObject], {
    description: 'Accounts that the person can connect. Empty unless they have several.',
  })
  choices!: readonly ConnectionChoice[];
  @Field(() => ConnectionErrorObject, optional('Why it failed. Null if it did not.'))
  error!: ConnectionError | null;
}

@InputType({ description: 'Input of `startConnection`.' })
export class StartConnectionInput extends MutationInput {
  @Field(() => NetworkEnum, { description: 'Network.' }) network!: Network;
  @Field(
    () => String,
    optional('Address of the Mastodon server or the WordPress blog. Null for other networks.'),
  )
  server?: string | null;
  @Field(
    () => NetworkEnum,
    optional(
      'FACEBOOK connects Instagram accounts through their Facebook page. By default, people sign in to the network itself.',
    ),
  )
  login?: Network | null;
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Whether pages are connected that the person administers, instead of their profile. For LinkedIn.',
  })
  pages!: boolean;
  @Field(() => ID, optional('Account to reconnect. The consent for another account is rejected.'))
  accountId?: string | null;
  @Field(
    () => String,
    optional(
      `URL to which the person is sent at the end, with the parameters \`connection\`, \`status\` (connected, choose or failed) and \`code\`. At most ${CONNECTION_LIMITS.urlLength} characters, and of an origin that the operator allows. By default, the page /connect of the gateway.`,
    ),
  )
  returnUrl?: string | null;
}

@InputType({ description: 'Input of `finishConnection`.' })
export class FinishConnectionInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the connection.' }) id!: string;
  @Field(() => [ID], {
    description: 'IDs of the choices to connect, at least one. All of them are connected, or none.',
  })
  choices!: string[];
}

@ObjectType({ description: 'Result of `startConnection`.', simpleResolvers: true })
class StartConnectionPayload extends MutationPayload {
  @Field(
    () => ConnectionObject,
    optional('New connection. Its `authorizeUrl` is the page to open. Null if it was rejected.'),
  )
  connection!: ShownConnection | null;
}

@ObjectType({ description: 'Result of `finishConnection`.', simpleResolvers: true })
class FinishConnectionPayload extends MutationPayload {
  @Field(() => ConnectionObject, optional('Connection after the change. Null if it was rejected.'))
  connection!: ShownConnection | null;
  @Field(() => [AccountObject], {
    description: 'Connected accounts. Empty if the change was rejected.',
  })
  accounts!: readonly Account[];
}

const INPUT = { description: 'Input.' };

/** The way to give consent that an input asks for. */
function readWay({ network, login = null, pages }: StartConnectionInput): ConsentWay {
  if (pages) return 'pages';
  if (login === null || login === network) return 'own';
  if (login === 'facebook') return 'facebook';
  throw badUserInput([
    { path: ['input', 'login'], message: 'input.login must be FACEBOOK, or the network itself.' },
  ]);
}

@Resolver(() => ConnectionObject)
export class ConnectionResolver {
  @Query(() => ConnectionObject, {
    nullable: true,
    description: `Connection that this user started. Null if there is none, or for other roles than owner and admin. Requires scope CONNECTIONS.`,
  })
  @RequiresScopes([['connections']])
  connection(
    @Arg('id', () => ID, { description: 'ID of the connection.' }) id: string,
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<ShownConnection | null> {
    return services.consents.find(toConsentManager(viewerOf(authentication)), id);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Page of the network where the person gives consent. Only in the result of `startConnection`.',
  })
  authorizeUrl(@Root() { authorizeUrl }: ShownConnection): string | null {
    return authorizeUrl ?? null;
  }

  @FieldResolver(() => [AccountObject], { description: 'Accounts that were connected.' })
  async accounts(
    @Root() { accountIds }: ShownConnection,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<Account[]> {
    const accounts = await Promise.all(accountIds.map((id) => loaders.account.load(id)));
    return accounts.filter((account) => account !== null);
  }

  @Mutation(() => StartConnectionPayload, {
    description: `Starts the connection of accounts by consent. Open \`authorizeUrl\` in the browser of the person within 10 minutes. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async startConnection(
    @Arg('input', () => StartConnectionInput, INPUT) input: StartConnectionInput,
    @Ctx() { authentication, services, browser, state }: GatewayContext,
  ) {
    const { network, server = null, accountId = null, returnUrl = null } = input;
    const way = readWay(input);
    const request = { network, server, way, accountId, returnUrl, browser: browser() };
    const outcome = await services.consents.start(
      toConsentManager(viewerOf(authentication)),
      request,
    );
    const { connection, authorizeUrl, browserCookie, ...payload } = toPayload(outcome, input);
    state.cookie = browserCookie ?? null;
    return { ...payload, connection: connection ? { ...connection, authorizeUrl } : null };
  }

  @Mutation(() => FinishConnectionPayload, {
    description: `Connects accounts that a connection with the status CHOOSE offers. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async finishConnection(
    @Arg('input', () => FinishConnectionInput, INPUT) input: FinishConnectionInput,
    @Ctx() context: GatewayContext,
  ) {
    const manager = toConsentManager(viewerOf(context.authentication));
    const outcome = await context.services.consents.finish(manager, input.id, input.choices);
    context.discardLoaders();
    const { accounts = [], ...payload } = toPayload(outcome, input);
    return { ...payload, accounts };
  }
}
