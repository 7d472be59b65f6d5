import { Field, Int, ObjectType, Ctx, Query, Resolver } from 'type-graphql';
import {
  type CredentialField,
  type Network,
  type NetworkKind,
  networkKindOf,
  NETWORKS,
} from '../domain/networks/networks.js';
import type { LimitedPart, DeliveryGuarantee } from '../domain/networks/network-definition.js';
import type { LimitUnit } from '../domain/creation/limit-units.js';
import { type AppliesTo, type Plan, type PostType, PLANS, enumKeys } from '../domain/enums.js';
import type {
  AdapterCapabilities,
  TypeGuarantee,
} from '../services/networks/adapter-capabilities.js';
import {
  AppliesToEnum,
  ConnectMethodEnum,
  DeliveryGuaranteeEnum,
  LimitUnitEnum,
  NetworkEnum,
  NetworkKindEnum,
  PlanEnum,
  PostTypeEnum,
} from './schema/enums.js';
import type { ConnectMethod } from '../domain/connections/account-connection.js';
import { DAILY_CAPS } from '../domain/caps/daily-caps.js';
import type { GatewayContext } from './context.js';
import { Computed, RequiresScopes } from './schema/field-decorators.js';

@ObjectType({
  description: 'Field that can be edited after publication.',
  simpleResolvers: true,
})
class EditableField {
  @Field(() => String, {
    description: 'Name of a field of PostPatch, or of a setting inside `details`.',
  })
  field!: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Maximum length in Unicode code points. Null if there is none.',
  })
  maxLength!: number | null;
  @Field(() => [PostTypeEnum], {
    description: 'Post types for which the field can be edited. Empty for all types.',
  })
  types!: readonly PostType[];
  @Field(() => AppliesToEnum, { description: 'Where the change is applied.' })
  appliesTo!: AppliesTo;
}

@ObjectType({
  description: 'Daily cap of a plan.',
  simpleResolvers: true,
})
class PlanCap {
  @Field(() => String, { description: 'Kind of post that is counted.' }) postKind!: string;
  @Field(() => [String], { description: 'Account types that the limit applies to.' })
  accountTypes!: readonly string[];
  @Field(() => PlanEnum, { description: 'Plan of the workspace owner.' }) plan!: Plan;
  @Field(() => Int, { description: 'Maximum number of publications in any 24 hours.' })
  limit!: number;
}

@ObjectType({
  description: 'Limit of a network for posts of one type.',
  simpleResolvers: true,
})
class ContentLimit {
  @Field(() => PostTypeEnum, { description: 'Post type.' }) type!: PostType;
  @Field(() => String, {
    description:
      'Name of a field of PostPatch, or `media.altText`. A length limit of `options` applies to each option, and one of `tags` to all tags together.',
  })
  field!: LimitedPart;
  @Field(() => Int, { description: 'Maximum, in `unit`.' }) max!: number;
  @Field(() => LimitUnitEnum, { description: 'Unit in which the network counts.' })
  unit!: LimitUnit;
}

@ObjectType('TypeGuarantee', {
  description: 'How the gateway avoids publishing a post of one type twice.',
  simpleResolvers: true,
})
class TypeGuaranteeObject implements TypeGuarantee {
  @Field(() => PostTypeEnum, { description: 'Post type.' }) type!: PostType;
  @Field(() => DeliveryGuaranteeEnum, {
    description: 'What the gateway can find out after a call without a response.',
  })
  guarantee!: DeliveryGuarantee;
  @Field(() => String, { description: 'Why, in one sentence.' }) reason!: string;
}

@ObjectType('CredentialField', {
  description: 'Credential of the accounts of a network.',
  simpleResolvers: true,
})
class CredentialFieldObject {
  @Field(() => String, { description: 'Name of the credential.' }) name!: string;
  @Field(() => String, { description: 'What to enter, and where to find it.' })
  description!: string;
  @Field(() => Boolean, { description: 'Whether the value has to be hidden while it is entered.' })
  secret!: boolean;
  @Field(() => Boolean, { description: 'Whether it may be left out.' })
  @Computed((field: { readonly optional?: boolean }) => field.optional ?? false)
  optional!: boolean;
}

@ObjectType({
  description: 'Capabilities of the network adapter.',
  simpleResolvers: true,
})
class AdapterInfo implements AdapterCapabilities {
  @Field(() => Boolean, {
    description: 'Whether edits of published posts are sent to the network.',
  })
  edits!: boolean;
  @Field(() => Boolean, { description: 'Whether the adapter was tested against the real network.' })
  verified!: boolean;
  @Field(() => String, { nullable: true, description: 'Additional information about the adapter.' })
  note!: string | null;
  @Field(() => Boolean, {
    description:
      'Whether the gateway publishes posts to the network. If not, its accounts accept drafts and reminders only. Accounts on the sandbox network accept all posts.',
  })
  publishes!: boolean;
  @Field(() => Boolean, {
    description: 'Whether the gateway can remove published posts from the network.',
  })
  unpublishes!: boolean;
  @Field(() => DeliveryGuaranteeEnum, {
    nullable: true,
    description:
      'How the gateway avoids publishing a post twice after a call without a response. Null if the gateway does not publish to the network.',
  })
  guarantee!: DeliveryGuarantee | null;
  @Field(() => [TypeGuaranteeObject], {
    description:
      'The guarantee of each post type that the gateway publishes to the network, which can differ from `guarantee`.',
  })
  guarantees!: readonly TypeGuarantee[];
  @Field(() => [ConnectMethodEnum], {
    description: 'How accounts of the network can be connected.',
  })
  connects!: readonly ConnectMethod[];
  @Field(() => Boolean, {
    description:
      'Whether the operator has set up an app at the network, if consent needs one. Without, accounts can be connected by credentials only.',
  })
  configured!: boolean;
  @Field(() => String, {
    nullable: true,
    description:
      'Redirect address to register for the app at the network. Null if the network needs no app.',
  })
  redirectUrl!: string | null;
  @Field(() => [String], {
    description:
      'Settings that the operator has to set before people can give consent. Empty if nothing is missing.',
  })
  missingSettings!: readonly string[];
  @Field(() => [CredentialFieldObject], {
    description: 'Credentials that `connectAccount` takes. Empty if there are none.',
  })
  credentials!: readonly CredentialField[];
  @Field(() => [String], {
    description:
      'Metrics of `PostAnalytics` that the gateway reads of published posts. Empty if it reads none.',
  })
  numbers!: readonly string[];
  @Field(() => [ContentLimit], {
    description: 'Limits of the network, which apply when a post is scheduled.',
  })
  limits!: readonly ContentLimit[];
}

@ObjectType({ description: 'Rules of a network.', simpleResolvers: true })
class NetworkRules {
  @Field(() => NetworkEnum, { description: 'Network.' }) network!: Network;
  @Field(() => NetworkKindEnum, {
    description:
      'Generic name of the network, as used in the interface document, the specification of REST v1.',
  })
  kind!: NetworkKind;
  @Field(() => [EditableField], {
    description: 'All fields that can be edited after publication.',
  })
  editable!: readonly EditableField[];
  @Field(() => [PlanCap], {
    description: 'Daily caps, one entry per post kind and plan.',
  })
  dailyCaps!: readonly PlanCap[];
  @Field(() => AdapterInfo, { description: 'Network adapter of the gateway.' })
  adapter!: AdapterInfo;
}

const dailyCapsOf = (network: Network) =>
  DAILY_CAPS.filter((row) => row.network === network).flatMap(
    ({ postKind, accountTypes, limits }) =>
      enumKeys(PLANS).map((plan) => ({ postKind, accountTypes, plan, limit: limits[plan] })),
  );

/** Computed once: the rule tables are constants. */
const NETWORK_RULES: readonly Omit<NetworkRules, 'adapter'>[] = enumKeys(NETWORKS).map(
  (network) => ({
    network,
    kind: networkKindOf(network),
    editable: NETWORKS[network].edits,
    dailyCaps: dailyCapsOf(network),
  }),
);

@Resolver()
export class NetworkResolver {
  @Query(() => [NetworkRules], {
    description:
      'Rules of each network: fields that can be edited after publication, and daily caps. Works with any key and without `Service-Workspace-Id`.',
  })
  @RequiresScopes([], { workspace: false })
  networks(@Ctx() { services }: GatewayContext): readonly NetworkRules[] {
    return NETWORK_RULES.map((rules) => ({
      ...rules,
      adapter: { ...services.adapters[rules.network], ...services.consents.offer(rules.network) },
    }));
  }
}
