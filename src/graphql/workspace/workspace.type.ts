import { Field, ID, ObjectType } from 'type-graphql';
import { hasPostActions } from '../../domain/access/viewer.js';
import type { Plan, Role } from '../../domain/enums.js';
import { PlanEnum, RoleEnum } from '../enums.js';
import { NodeInterface } from '../node/node.type.js';
import { Computed } from '../selection/field-dependencies.js';

@ObjectType('User', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'User. Through `node`, requires scope POSTS_READ or WORKSPACES.',
})
export class UserObject {
  @Field(() => ID, { description: 'ID: `usr_` followed by letters and digits.' }) id!: string;
  @Field(() => String, { description: 'Name of the user.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'HTTPS URL of the user’s picture.' })
  picture!: string | null;
}

@ObjectType('Member', {
  simpleResolvers: true,
  description: 'Membership of a user in a workspace.',
})
export class MemberObject {
  @Field(() => UserObject, { description: 'User.' }) user!: UserObject;
  @Field(() => RoleEnum, { description: 'Role of the user in the workspace.' }) role!: Role;
  @Field(() => Boolean, {
    description: 'Whether the member can edit and delete posts of other members.',
  })
  @Computed(hasPostActions)
  postActions!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Email address. Visible only to owners and admins; null for other roles.',
  })
  email!: string | null;
}

@ObjectType('Workspace', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'Workspace, which contains posts, accounts, labels and media.',
})
export class WorkspaceObject {
  @Field(() => ID, {
    description:
      'ID: `wks_` followed by letters and digits. Value of the `Service-Workspace-Id` header.',
  })
  id!: string;
  @Field(() => String, { description: 'Name of the workspace.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'HTTPS URL of the workspace’s picture.' })
  picture!: string | null;
  @Field(() => PlanEnum, {
    description: 'Plan of the workspace owner, which determines the daily caps.',
  })
  plan!: Plan;
  @Field(() => String, {
    description: 'IANA time zone of the workspace, used for series, recycling posts and queues.',
  })
  timeZone!: string;
  @Field(() => Boolean, {
    description: 'Whether changes by members without approval rights require approval.',
  })
  requiresApproval!: boolean;
}
