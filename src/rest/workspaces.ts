import { canSeeSensitive, type Workspace } from '../domain/access/viewer.js';
import { enumKeys, PLANS } from '../domain/enums.js';
import { NETWORKS } from '../domain/networks/networks.js';
import type { Account } from '../domain/posts/post.js';
import { field, presentFields } from './body-fields.js';
import { BOOLEAN, enumOf, nullable, TEXT, withDescription } from '../http/json-schema.js';
import { PAGE_PARAMS } from './query-params.js';
import { inWorkspace, readPage, withoutWorkspace } from './route.js';
import { ACCOUNT_TYPES } from '../domain/networks/network-definition.js';

/** An account in a list (D2), and whether the viewer can see its sensitive fields (D44). */
interface VisibleAccount {
  readonly account: Account;
  readonly isSensitiveVisible: boolean;
}
/** An account in the list of accounts. */
export const ACCOUNT = {
  id: field(TEXT, ({ account }: VisibleAccount) => account.id),
  provider: field(enumOf(enumKeys(NETWORKS)), ({ account }: VisibleAccount) => account.network),
  name: field(TEXT, ({ account }: VisibleAccount) => account.name),
  social_id: field(
    withDescription(
      'Identifier on the network. Null unless the user is an owner or admin of the workspace.',
      nullable(TEXT),
    ),
    ({ account, isSensitiveVisible }: VisibleAccount) =>
      isSensitiveVisible ? account.socialId : null,
  ),
  picture: field(nullable(TEXT), ({ account }: VisibleAccount) => account.picture),
  type: field(enumOf(enumKeys(ACCOUNT_TYPES)), ({ account }: VisibleAccount) => account.type),
};

/** A workspace in a list (D43). */
export const WORKSPACE = {
  id: field(TEXT, ({ id }: Workspace) => id),
  name: field(TEXT, ({ name }: Workspace) => name),
  picture: field(nullable(TEXT), ({ picture }: Workspace) => picture),
  plan: field(
    withDescription('Plan of the workspace owner.', enumOf(enumKeys(PLANS))),
    ({ plan }: Workspace) => plan,
  ),
  time_zone: field(
    withDescription('IANA time zone name.', TEXT),
    ({ timeZone }: Workspace) => timeZone,
  ),
  requires_approval: field(BOOLEAN, ({ requiresApproval }: Workspace) => requiresApproval),
  locked: field(
    withDescription(
      'Whether the workspace is locked: none of its posts is published until an operator unlocks it.',
      BOOLEAN,
    ),
    ({ locked }: Workspace) => locked,
  ),
};

/** The workspaces of the key's user (D43). */
export const LIST_WORKSPACES = withoutWorkspace(
  {
    method: 'GET',
    path: '/v1/workspaces',
    operationId: 'listWorkspaces',
    tag: 'Workspaces',
    summary: 'List workspaces',
    description:
      'The workspaces that the user of the key is a member of, 100 per page. Does not require `Service-Workspace-Id`.',
    scopes: [['workspaces']],
    params: PAGE_PARAMS,
    responseSchema: 'WorkspaceList',
  },
  async (caller, { query }, { services }) => {
    const { limit, offset } = readPage(query);
    const workspaces = await services.workspaceRecords.workspacesOf(caller.user.id);
    const page = workspaces.slice(offset, offset + limit);
    return {
      status: 200,
      body: { workspaces: page.map((workspace) => presentFields(WORKSPACE, workspace)) },
    };
  },
);

/** The accounts of the workspace (D2). */
export const LIST_ACCOUNTS = inWorkspace(
  {
    method: 'GET',
    path: '/v1/accounts',
    operationId: 'listAccounts',
    tag: 'Accounts',
    summary: 'List accounts',
    description:
      'The accounts of the workspace, 100 per page. `social_id` is null unless the user is an owner or admin.',
    scopes: [['accounts']],
    params: PAGE_PARAMS,
    responseSchema: 'AccountList',
  },
  async ({ workspace, role }, { query }, { services }) => {
    const { limit, offset } = readPage(query);
    const accounts = await services.workspaceRecords.accounts(workspace.id, null, limit, offset);
    const isSensitiveVisible = canSeeSensitive(role);
    return {
      status: 200,
      body: {
        accounts: accounts.map((account) =>
          presentFields(ACCOUNT, { account, isSensitiveVisible }),
        ),
      },
    };
  },
);
