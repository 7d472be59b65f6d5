import { Field, ID, ObjectType } from 'type-graphql';
import { hasPostActions } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/vocabulary.js';
import { PlanEnum, RoleEnum } from '../enums.js';
import { NodeInterface } from '../node/node.type.js';
import { Made } from '../selection/row-fields.js';

@ObjectType('User', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'A person; through `node` it needs POSTS_READ or WORKSPACES.',
})
export class UserObject {
  @Field(() => ID, { description: '`usr_` and letters and digits.' }) id!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'https URL of their picture.' }) picture!:
    string | null;
}

@ObjectType('Member', {
  simpleResolvers: true,
  description: 'A person’s membership of a workspace.',
})
export class MemberObject {
  @Field(() => UserObject, { description: 'The person.' }) user!: UserObject;
  @Field(() => RoleEnum, { description: 'Their role.' }) role!: Role;
  @Field(() => Boolean, { description: 'Whether they may act on others’ posts (D4).' })
  @Made(hasPostActions)
  postActions!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Their e-mail address; null for anyone but owners and admins (D44).',
  })
  email!: string | null;
}

@ObjectType('Workspace', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'A workspace: posts, accounts, labels and media belong to one.',
})
export class WorkspaceObject {
  @Field(() => ID, {
    description: '`wks_` and letters and digits: the value of the header Service-Workspace-Id.',
  })
  id!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'https URL of its picture.' }) picture!:
    string | null;
  @Field(() => PlanEnum, { description: 'Its owner’s plan: daily caps follow it (D34).' })
  plan!: Plan;
  @Field(() => String, {
    description: 'IANA name of the zone whose wall clock its series follow (D8).',
  })
  timeZone!: string;
  @Field(() => Boolean, {
    description: 'Whether changes by members who may not approve wait for approval (D24).',
  })
  requiresApproval!: boolean;
}
