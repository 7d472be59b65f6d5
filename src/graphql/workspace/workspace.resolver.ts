import { Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import { canSeeSensitive, type Workspace } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { MemberObject, WorkspaceObject } from './workspace.type.js';

@Resolver(() => WorkspaceObject)
export class WorkspaceResolver {
  @Query(() => [WorkspaceObject], {
    description:
      'All workspaces of the user. Works without `Service-Workspace-Id`. Requires scope WORKSPACES.',
  })
  @RequiresScopes([['workspaces']], { workspace: false })
  workspaces(@Ctx() { authentication, services }: GatewayContext): Promise<Workspace[]> {
    return services.workspaceRecords.workspacesOf(authentication.caller.user.id);
  }

  @FieldResolver(() => Int, {
    description:
      'Number of minutes after its scheduled time for which a post can still be published. A post that is first handed over for publication later fails with MISSED.',
  })
  async lateMinutes(@Root() { id }: Workspace, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.publicationSettings.load(id))!.lateMinutes;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the operator has locked the workspace. The posts of a locked workspace are not published.',
  })
  async locked(@Root() { id }: Workspace, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.publicationSettings.load(id))!.locked;
  }

  @FieldResolver(() => [MemberObject], { description: 'Members of the workspace.' })
  async members(@Root() workspace: Workspace, @Ctx() { authentication, loaders }: GatewayContext) {
    const members = (await loaders.members.load(workspace.id)) ?? [];
    const ownMembership = members.find(({ user }) => user.id === authentication.caller.user.id);
    const showsEmail = ownMembership !== undefined && canSeeSensitive(ownMembership.role);
    return members.map((member) => ({ ...member, email: showsEmail ? member.email : null }));
  }
}
