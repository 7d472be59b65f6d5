import { type Account, type UserSummary } from '../domain/posts/post.js';
import { type Attachment, labelKey, type Label } from '../domain/posts/post-content.js';
import type { Workspace } from '../domain/access/viewer.js';
import type { Ids } from '../services/ids.js';
import { DEMO_USERS, type DemoUserKey } from './demo-users.js';
import type { WorkspaceDefinition } from './workspace-definitions.js';
import { mediaPath } from '../domain/media/media-file.js';
import { newToken } from '../services/media/upload-media.js';
import { DEMO_LABELS, DEMO_MEDIA, PICTURES_URL } from './demo-media.js';

/** A media item of the demo: what is drawn as its file, and the secret part of its URL. */
export interface DemoAttachment extends Attachment {
  readonly title: string;
  readonly inLibrary: boolean;
  readonly file: string;
  readonly token: string;
}

/** A workspace of the demo with the records that its posts refer to. */
export interface DemoWorkspace {
  workspace: Workspace;
  users: Readonly<Record<DemoUserKey, UserSummary>>;
  accounts: readonly Account[];
  labels: readonly Label[];
  media: readonly DemoAttachment[];
}

/** Creates the demo users with new IDs. */
export const createDemoUsers = (ids: Ids): Record<DemoUserKey, UserSummary> =>
  Object.fromEntries(
    Object.entries(DEMO_USERS).map(([user, { name }]) => [
      user,
      { id: ids.prefixed('usr'), name, picture: pictureUrl(user) },
    ]),
  ) as Record<DemoUserKey, UserSummary>;

/**
 * Creates a workspace from its definition. The caller passes the ID, because a reset keeps it, and
 * the URL of the gateway, where its media files are.
 */
export function createDemoWorkspace(
  definition: WorkspaceDefinition,
  { id, users, url }: { id: string; users: DemoWorkspace['users']; url: string },
  ids: Ids,
): DemoWorkspace {
  const { name, timeZone, requiresApproval, owner } = definition;
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
    media: DEMO_MEDIA.map((item) => createMedia(item, url, ids)),
  };
}

function createMedia(
  { type, file, title, altText, inLibrary }: (typeof DEMO_MEDIA)[number],
  url: string,
  ids: Ids,
): DemoAttachment {
  const [id, token] = [ids.prefixed('med'), newToken()];
  return {
    id,
    type,
    url: `${url}${mediaPath(id, token)}`,
    title,
    altText,
    inLibrary,
    file,
    token,
    defaultThumbnail: null,
    thumbnails: null,
    userTags: [],
    collaboratorTags: [],
    productTags: [],
  };
}

const pictureUrl = (name: string): string => `${PICTURES_URL}faces/${name}.png`;
