import { type Account, type UserSummary } from '../domain/posts/post.js';
import { type Attachment, labelKey, type Label } from '../domain/posts/post-content.js';
import type { Workspace } from '../domain/access/viewer.js';
import type { Ids } from '../services/ids.js';
import { DEMO_USERS, type DemoUserKey } from './demo-users.js';
import { MAIN_WORKSPACE, type WorkspaceDefinition } from './workspace-definitions.js';
import { DEMO_LABELS, DEMO_MEDIA, MEDIA_BASE_URL } from './demo-media.js';

/** A workspace of the demo with the records that its posts refer to. */
export interface DemoWorkspace {
  workspace: Workspace;
  users: Readonly<Record<DemoUserKey, UserSummary>>;
  accounts: readonly Account[];
  labels: readonly Label[];
  media: readonly (Attachment & { inLibrary: boolean })[];
}

/** Creates the demo users with new IDs. */
export const createDemoUsers = (ids: Ids): Record<DemoUserKey, UserSummary> =>
  Object.fromEntries(
    Object.entries(DEMO_USERS).map(([user, { name }]) => [
      user,
      { id: ids.prefixed('usr'), name, picture: pictureUrl(user) },
    ]),
  ) as Record<DemoUserKey, UserSummary>;

/** Creates a workspace from its definition. The caller passes the ID, because a reset keeps it. */
export function createDemoWorkspace(
  definition: WorkspaceDefinition,
  { id, users }: { id: string; users: DemoWorkspace['users'] },
  ids: Ids,
): DemoWorkspace {
  const { name, timeZone, requiresApproval, owner } = definition;
  const folder = definition === MAIN_WORKSPACE ? MEDIA_BASE_URL : `${MEDIA_BASE_URL}lindenhof/`;
  return {
    users,
    workspace: {
      id,
      name,
      picture: pictureUrl(id),
      timeZone,
      requiresApproval,
      locked: false,
      plan: DEMO_USERS[owner].plan,
    },
    accounts: definition.accounts.map(
      ({ name: accountName, network, type, handle, needsReauth = false }) => ({
        id: ids.prefixed('acc'),
        name: accountName,
        network,
        type,
        socialId: handle,
        needsReauth,
        sandbox: true,
        picture: pictureUrl(handle.replace(/\W+/g, '-')),
      }),
    ),
    labels: [...DEMO_LABELS]
      .sort((a, b) => (labelKey(a.name) < labelKey(b.name) ? -1 : 1))
      .map((label) => ({ id: ids.prefixed('lbl'), ...label })),
    media: DEMO_MEDIA.map(({ type, file, title, altText, inLibrary }) => ({
      id: ids.prefixed('med'),
      type,
      url: folder + file,
      title,
      altText,
      inLibrary,
      defaultThumbnail: null,
      thumbnails: null,
      userTags: [],
      collaboratorTags: [],
      productTags: [],
    })),
  };
}

const pictureUrl = (name: string): string => `${MEDIA_BASE_URL}faces/${name}.png`;
