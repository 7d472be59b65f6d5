import {
  Field,
  ID,
  InputType,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Mutation,
  Resolver,
  Root,
} from 'type-graphql';
import { viewerOf } from '../../domain/access/viewer.js';
import {
  readCredentialEntries,
  type AccountConnection,
  type AccountHealth,
  type ConnectMethod,
} from '../../domain/connections/account-connection.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Account } from '../../domain/posts/post.js';
import { toConnectionManager } from '../../services/accounts/account-connections.js';
import { AccountObject } from '../account.js';
import type { GatewayContext } from '../context.js';
import { toProblem } from '../post/user-error.js';
import { badUserInput } from '../schema/connection.js';
import { optional } from '../schema/descriptions.js';
import { AccountHealthEnum, ConnectMethodEnum, DateTime, NetworkEnum } from '../schema/enums.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { MutationInput, MutationPayload, toPayload } from '../schema/mutation.js';

@ObjectType('AccountConnection', {
  simpleResolvers: true,
  description: 'Connection of an account with its network. Contains no secret.',
})
class AccountConnectionObject implements AccountConnection {
  @Field(() => ConnectMethodEnum, { description: 'How the account is or was connected.' })
  method!: ConnectMethod;
  @Field(() => AccountHealthEnum, { description: 'Whether the gateway can use the account.' })
  health!: AccountHealth;
  @Field(() => String, optional('What is wrong, in one sentence. Null if nothing is.')) message!:
    string | null;
  @Field(() => [String], {
    description:
      'Permissions that the owner of the account granted, as the network names them. Empty for credentials that were entered.',
  })
  grantedScopes!: readonly string[];
  @Field(
    () => DateTime,
    optional(
      'Time at which the access ends unless it is renewed. Null if it has no end, or if that is not known.',
    ),
  )
  expiresAt!: Date | null;
  @Field(() => Boolean, { description: 'Whether the gateway renews the access before it ends.' })
  renewsItself!: boolean;
  @Field(
    () => DateTime,
    optional('Time at which the network was last asked about the account. Null before.'),
  )
  checkedAt!: Date | null;
}

@InputType({ description: 'Credential of an account.' })
export class CredentialInput {
  @Field(() => String, {
    description:
      'Name of the credential. The reference of networks lists the credentials of each network.',
  })
  name!: string;
  @Field(() => String, { description: 'Value, at most 4,096 characters. It is never returned.' })
  value!: string;
}

@InputType({ description: 'Input of `connectAccount`.' })
export class ConnectAccountInput extends MutationInput {
  @Field(() => NetworkEnum, { description: 'Network of the account.' }) network!: Network;
  @Field(() => [CredentialInput], { description: 'Credentials of the account.' })
  credentials!: CredentialInput[];
  @Field(
    () => ID,
    optional(
      'Account to connect. By default, the account of the workspace that the network reports, which is created if needed.',
    ),
  )
  accountId?: string | null;
}

@InputType({ description: 'Input of `disconnectAccount`.' })
export class DisconnectAccountInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the account.' }) id!: string;
}

@InputType({ description: 'Input of `checkAccount`.' })
export class CheckAccountInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the account.' }) id!: string;
}

const ACCOUNT = optional('Account after the change. Null if the change was rejected.');

@ObjectType({ description: 'Result of `connectAccount`.', simpleResolvers: true })
class ConnectAccountPayload extends MutationPayload {
  @Field(() => AccountObject, ACCOUNT) account!: Account | null;
}

@ObjectType({ description: 'Result of `disconnectAccount`.', simpleResolvers: true })
class DisconnectAccountPayload extends MutationPayload {
  @Field(() => AccountObject, ACCOUNT) account!: Account | null;
}

@ObjectType({ description: 'Result of `checkAccount`.', simpleResolvers: true })
class CheckAccountPayload extends MutationPayload {
  @Field(
    () => AccountObject,
    optional(
      'Account. Its `connection` contains what the network answered. Null if the request was rejected.',
    ),
  )
  account!: Account | null;
}

/** Ends the descriptions of mutations of connections. */
export const MANAGERS = 'Requires scope CONNECTIONS and the role of an owner or admin.';
const INPUT = { description: 'Input.' };

@Resolver(() => AccountObject)
export class AccountConnectionResolver {
  @FieldResolver(() => AccountConnectionObject, {
    nullable: true,
    description:
      'Connection with the network. Null if the account was never connected, and for sandbox accounts. Requires scope ACCOUNTS, also on the account of a post.',
  })
  @RequiresScopes([['accounts']])
  connection(
    @Root() account: Account,
    @Ctx() { loaders }: GatewayContext,
  ): Promise<AccountConnection | null> {
    return loaders.accountConnection.load(account.id);
  }

  @Mutation(() => ConnectAccountPayload, {
    description: `Connects an account by credentials, such as an app password. The gateway asks the network whose they are, and stores them encrypted. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async connectAccount(
    @Arg('input', () => ConnectAccountInput, INPUT) input: ConnectAccountInput,
    @Ctx() context: GatewayContext,
  ) {
    const { network, accountId = null } = input;
    const read = readCredentialEntries(network, input.credentials);
    if ('problems' in read) throw badUserInput(read.problems.map(toProblem));
    const outcome = await context.services.accountConnections.connect(
      toConnectionManager(viewerOf(context.authentication)),
      { network, credentials: read.credentials, accountId },
    );
    context.discardLoaders();
    return toPayload(outcome, input);
  }

  @Mutation(() => DisconnectAccountPayload, {
    description: `Deletes the credentials of an account. The account and its posts remain. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async disconnectAccount(
    @Arg('input', () => DisconnectAccountInput, INPUT) input: DisconnectAccountInput,
    @Ctx() context: GatewayContext,
  ) {
    const manager = toConnectionManager(viewerOf(context.authentication));
    const outcome = await context.services.accountConnections.disconnect(manager, input.id);
    context.discardLoaders();
    return toPayload(outcome, input);
  }

  @Mutation(() => CheckAccountPayload, {
    description: `Asks the network now whether it accepts the credentials of an account. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async checkAccount(
    @Arg('input', () => CheckAccountInput, INPUT) input: CheckAccountInput,
    @Ctx() context: GatewayContext,
  ) {
    const manager = toConnectionManager(viewerOf(context.authentication));
    const outcome = await context.services.accountConnections.check(manager, input.id);
    context.discardLoaders();
    return toPayload(outcome, input);
  }
}
