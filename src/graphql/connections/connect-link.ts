import {
  Field,
  ID,
  InputType,
  ObjectType,
  Arg,
  Ctx,
  Mutation,
  Query,
  Resolver,
} from 'type-graphql';
import { viewerOf } from '../../domain/access/viewer.js';
import { CONNECT_LINK_LIMITS, type ConnectLink } from '../../domain/connections/connect-link.js';
import type { Network } from '../../domain/networks/networks.js';
import { toConsentManager } from '../../services/accounts/consents.js';
import type { GatewayContext } from '../context.js';
import { optional } from '../schema/descriptions.js';
import { DateTime, NetworkEnum } from '../schema/enums.js';
import { RequiresScopes } from '../schema/field-decorators.js';
import { MutationInput, MutationPayload, toPayload } from '../schema/mutation.js';
import { MANAGERS } from './account-connection.js';

@ObjectType('ConnectLink', {
  simpleResolvers: true,
  description:
    'Address with which a person without an API key connects their accounts to the workspace.',
})
class ConnectLinkObject implements ConnectLink {
  @Field(() => ID, { description: 'ID: `lnk_` followed by letters and digits.' }) id!: string;
  @Field(() => [NetworkEnum], { description: 'Networks whose accounts can be connected.' })
  networks!: readonly Network[];
  @Field(() => DateTime, { description: 'Time from which the link can do nothing.' })
  expiresAt!: Date;
  @Field(() => Boolean, { description: 'Whether the link was revoked.' }) revoked!: boolean;
}

@InputType({ description: 'Input of `createConnectLink`.' })
export class CreateConnectLinkInput extends MutationInput {
  @Field(
    () => [NetworkEnum],
    optional(
      'Networks whose accounts can be connected, at least one. By default, all that can be connected.',
    ),
  )
  networks?: Network[] | null;
  @Field(
    () => DateTime,
    optional('Time from which the link can do nothing, at most 24 hours ahead, the default.'),
  )
  expiresAt?: Date | null;
}

@InputType({ description: 'Input of `revokeConnectLink`.' })
export class RevokeConnectLinkInput extends MutationInput {
  @Field(() => ID, { description: 'ID of the link.' }) id!: string;
}

@ObjectType({ description: 'Result of `createConnectLink`.', simpleResolvers: true })
class CreateConnectLinkPayload extends MutationPayload {
  @Field(() => ConnectLinkObject, optional('New link. Null if it was rejected.'))
  link!: ConnectLink | null;
  @Field(
    () => String,
    optional('Address to send to the owner of the account. It is only returned here.'),
  )
  url!: string | null;
}

@ObjectType({ description: 'Result of `revokeConnectLink`.', simpleResolvers: true })
class RevokeConnectLinkPayload extends MutationPayload {
  @Field(() => ConnectLinkObject, optional('Revoked link. Null if the request was rejected.'))
  link!: ConnectLink | null;
}

const INPUT = { description: 'Input.' };

@Resolver(() => ConnectLinkObject)
export class ConnectLinkResolver {
  @Query(() => [ConnectLinkObject], {
    description: `Links of the workspace that can be used, at most ${CONNECT_LINK_LIMITS.perWorkspace}, in the order in which they expire. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  connectLinks(
    @Ctx() { authentication, services }: GatewayContext,
  ): Promise<readonly ConnectLink[]> {
    return services.connectLinks.list(toConsentManager(viewerOf(authentication)));
  }

  @Mutation(() => CreateConnectLinkPayload, {
    description: `Creates an address with which a person without an API key, such as a client of an agency, connects their accounts to the workspace, and can do nothing else. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async createConnectLink(
    @Arg('input', () => CreateConnectLinkInput, INPUT) input: CreateConnectLinkInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const { networks = null, expiresAt = null } = input;
    const manager = toConsentManager(viewerOf(authentication));
    const outcome = await services.connectLinks.create(manager, { networks, expiresAt });
    return toPayload(outcome, input);
  }

  @Mutation(() => RevokeConnectLinkPayload, {
    description: `Revokes a link. From now on, it can do nothing, and what was started with it is not completed. ${MANAGERS}`,
  })
  @RequiresScopes([['connections']])
  async revokeConnectLink(
    @Arg('input', () => RevokeConnectLinkInput, INPUT) input: RevokeConnectLinkInput,
    @Ctx() { authentication, services }: GatewayContext,
  ) {
    const manager = toConsentManager(viewerOf(authentication));
    return toPayload(await services.connectLinks.revoke(manager, input.id), input);
  }
}
