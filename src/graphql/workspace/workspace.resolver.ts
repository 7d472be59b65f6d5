import { Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { seesSensitive, type Workspace } from '../../domain/access/viewer.js';
import type { GatewayContext } from '../context.js';
import { RequiresScopes } from '../requires-scopes.js';
import { MemberObject, WorkspaceObject } from './workspace.type.js';

@Resolver(() => WorkspaceObject)
export class WorkspaceResolver {
  @Query(() => [WorkspaceObject], {
    description: 'Every workspace of the user; needs no workspace header. Scope WORKSPACES.',
  })
  @RequiresScopes([['workspaces']], { workspace: false })
  workspaces(@Ctx() { admission, services }: GatewayContext): Promise<Workspace[]> {
    return services.directory.workspacesOf(admission.caller.user.id);
  }

  @FieldResolver(() => [MemberObject], { description: 'Its members.' })
  async members(@Root() workspace: Workspace, @Ctx() { admission, loaders }: GatewayContext) {
    const members = (await loaders.members.load(workspace.id)) ?? [];
    const own = members.find(({ user }) => user.id === admission.caller.user.id);
    const shown = own !== undefined && seesSensitive(own.role);
    return members.map((member) => ({ ...member, email: shown ? member.email : null }));
  }
}
