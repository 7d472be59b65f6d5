import { Field, Int, ObjectType } from 'type-graphql';
import type { Network, NetworkKind } from '../../domain/networks/networks.js';
import type { AppliesTo, Plan, PostType } from '../../domain/vocabulary.js';
import type { AdapterFacts } from '../../services/networks/adapter-facts.js';
import { AppliesToEnum, NetworkEnum, NetworkKindEnum, PlanEnum, PostTypeEnum } from '../enums.js';

@ObjectType({
  description: 'A field that may change after publication (Update post, rule 2).',
  simpleResolvers: true,
})
class EditableField {
  @Field(() => String, { description: 'A field of PostPatch, or one setting inside `details`.' })
  field!: string;
  @Field(() => Int, {
    nullable: true,
    description: 'Longest value, in Unicode code points; null where the document names none.',
  })
  maxLength!: number | null;
  @Field(() => [PostTypeEnum], {
    description: 'The types whose posts may change it; empty for every type.',
  })
  types!: readonly PostType[];
  @Field(() => AppliesToEnum, { description: 'Where the change goes.' }) appliesTo!: AppliesTo;
}

@ObjectType({
  description: 'A row of the table of daily limits, for one plan (Daily post limits, D39).',
  simpleResolvers: true,
})
class PlanCap {
  @Field(() => String, { description: 'What is counted, in one word.' }) postKind!: string;
  @Field(() => [String], { description: 'The account types whose posts count here.' })
  accountTypes!: readonly string[];
  @Field(() => PlanEnum, { description: 'The plan of the workspace’s owner.' }) plan!: Plan;
  @Field(() => Int, { description: 'At most so many publications in any 24 hours.' })
  limit!: number;
}

@ObjectType({
  description: 'What the gateway’s connection to the network can do.',
  simpleResolvers: true,
})
class AdapterInfo implements AdapterFacts {
  @Field(() => Boolean, {
    description: 'Whether changes of published posts are brought to the network.',
  })
  edits!: boolean;
  @Field(() => Boolean, { description: 'Whether this was tried against the network itself.' })
  verified!: boolean;
  @Field(() => String, { nullable: true, description: 'What else there is to know.' }) note!:
    string | null;
}

@ObjectType({ description: 'What the rules say about one network.', simpleResolvers: true })
export class NetworkRules {
  @Field(() => NetworkEnum, { description: 'The network.' }) network!: Network;
  @Field(() => NetworkKindEnum, { description: 'What the interface document calls it.' })
  kind!: NetworkKind;
  @Field(() => [EditableField], {
    description: 'What may change after publication; nothing else may.',
  })
  editable!: readonly EditableField[];
  @Field(() => [PlanCap], { description: 'Daily limits, one entry for each row and plan.' })
  dailyCaps!: readonly PlanCap[];
  @Field(() => AdapterInfo, { description: 'The gateway’s connection to it.' })
  adapter!: AdapterInfo;
}
