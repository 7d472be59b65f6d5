import type { Workspace } from '../domain/access/viewer.js';
import type { Role } from '../domain/enums.js';
import { mediaPath } from '../domain/media/media-file.js';
import type { AccountType } from '../domain/networks/network-definition.js';
import type { Network } from '../domain/networks/networks.js';
import { labelKey, type Attachment, type Label } from '../domain/posts/post-content.js';
import type { UserSummary, Account } from '../domain/posts/post.js';
import type { Ids } from '../services/ids.js';
import { newToken } from '../services/media/upload-media.js';
import { DEMO_MEDIA } from './demo-media.js';
import { DEMO_USERS, type DemoUserKey } from './demo-users.js';

interface MemberDefinition {
  user: DemoUserKey;
  role: Role;
  postActions?: boolean;
}
interface AccountDefinition {
  name: string;
  network: Network;
  type: AccountType;
  handle: string;
  needsReauth?: boolean;
}
/** A workspace of the demo with its members and accounts. */
export interface WorkspaceDefinition {
  name: string;
  /** File of DEMO_MEDIA: the picture of the workspace and of its accounts. */
  picture: string;
  timeZone: string;
  requiresApproval: boolean;
  owner: DemoUserKey;
  members: readonly MemberDefinition[];
  accounts: readonly AccountDefinition[];
}

/**
 * Name of the account whose network is rate limited, so that an edit of its post stays pending for
 * 12 hours.
 */
export const SLOW_ACCOUNT = 'Johanna Petersen';

/** Requires no approval: every rule except the approval rules can be tried here with all keys. */
export const MAIN_WORKSPACE: WorkspaceDefinition = {
  name: 'Nordlicht Kaffeerösterei',
  picture: 'yirgacheffe-bag.jpg',
  timeZone: 'Europe/Berlin',
  requiresApproval: false,
  owner: 'owner',
  members: [
    { user: 'admin', role: 'admin' },
    { user: 'editor', role: 'editor' },
    { user: 'editorWithPostActions', role: 'editor', postActions: true },
    { user: 'viewer', role: 'viewer' },
    { user: 'freePlan', role: 'editor' },
  ],
  accounts: [
    { name: 'Nordlicht Kaffeerösterei', network: 'facebook', type: 'page', handle: '104512009981' },
    {
      name: 'nordlicht.kaffee',
      network: 'instagram',
      type: 'business',
      handle: '17841400008460056',
    },
    { name: 'nordlicht.kaffee', network: 'threads', type: 'profile', handle: '63055812' },
    { name: '@nordlichtkaffee', network: 'tiktok', type: 'business', handle: 'nordlichtkaffee' },
    { name: '@NordlichtKaffee', network: 'twitter', type: 'profile', handle: '1420011557' },
    { name: '@nordlicht@kaffee.social', network: 'mastodon', type: 'profile', handle: '109348274' },
    {
      name: 'nordlicht.example',
      network: 'bluesky',
      type: 'profile',
      handle: 'did:plc:nordlicht4x',
    },
    {
      name: 'Nordlicht GmbH',
      network: 'linkedin',
      type: 'page',
      handle: 'urn:li:organization:8814',
    },
    { name: SLOW_ACCOUNT, network: 'linkedin', type: 'profile', handle: 'urn:li:person:jp77' },
    { name: 'Nordlicht', network: 'pinterest', type: 'business', handle: '549755885175' },
    {
      name: 'Nordlicht, Hafenstraße',
      network: 'google',
      type: 'location',
      handle: 'locations/7725',
    },
    { name: 'Nordlicht Coffee', network: 'youtube', type: 'channel', handle: 'UCnordlicht' },
    {
      name: 'Nordlicht Journal',
      network: 'wordpress',
      type: 'blog',
      handle: 'https://journal.nordlicht.example',
    },
    { name: 'Nordlicht News', network: 'telegram', type: 'channel', handle: '-1001442' },
    {
      name: 'nordlicht.tokyo',
      network: 'instagram',
      type: 'profile',
      handle: '17841400008460999',
      needsReauth: true,
    },
  ],
};

/**
 * Requires approval: the approval rules (delete rule 3, D24) can be tried here with the keys of the
 * editors.
 */
export const OTHER_WORKSPACE: WorkspaceDefinition = {
  name: 'Lindenhof Bageri',
  picture: 'bangkok-cake.jpg',
  timeZone: 'Europe/Stockholm',
  requiresApproval: true,
  owner: 'partner',
  members: [
    { user: 'owner', role: 'admin' },
    { user: 'editor', role: 'editor' },
    { user: 'editorWithPostActions', role: 'editor', postActions: true },
  ],
  accounts: [
    { name: 'Lindenhof Bageri', network: 'facebook', type: 'page', handle: '208819930012' },
    { name: '@lindenhof@kaffee.social', network: 'mastodon', type: 'profile', handle: '110228831' },
    {
      name: 'lindenhof.bageri',
      network: 'instagram',
      type: 'business',
      handle: '17841400011112222',
    },
    {
      name: 'Lindenhof-bloggen',
      network: 'wordpress',
      type: 'blog',
      handle: 'https://blogg.lindenhof.example',
    },
  ],
};

/** A media item of the demo: what is drawn as its file, and the secret part of its URL. */
interface DemoAttachment extends Attachment {
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

/** Creates the media of a workspace, at the URL of the gateway. */
export const createDemoMedia = (url: string, ids: Ids): DemoAttachment[] =>
  DEMO_MEDIA.map((item) => createMedia(item, url, ids));

/** Creates the demo users with new IDs, and pictures from the media of the main workspace. */
export const createDemoUsers = (
  media: readonly DemoAttachment[],
  ids: Ids,
): Record<DemoUserKey, UserSummary> =>
  Object.fromEntries(
    Object.entries(DEMO_USERS).map(([user, { name, picture }]) => [
      user,
      { id: ids.prefixed('usr'), name, picture: urlOf(picture, media) },
    ]),
  ) as Record<DemoUserKey, UserSummary>;

/**
 * Creates a workspace from its definition. The caller passes the ID, because a reset keeps it.
 */
export function createDemoWorkspace(
  definition: WorkspaceDefinition,
  { id, users, media }: Pick<DemoWorkspace, 'users' | 'media'> & { id: string },
  ids: Ids,
): DemoWorkspace {
  const { name, timeZone, requiresApproval, owner } = definition;
  const picture = urlOf(definition.picture, media);
  return {
    users,
    workspace: {
      id,
      name,
      picture,
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
        picture,
      }),
    ),
    labels: [...DEMO_LABELS]
      .sort((a, b) => (labelKey(a.name) < labelKey(b.name) ? -1 : 1))
      .map((label) => ({ id: ids.prefixed('lbl'), ...label })),
    media,
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

const urlOf = (file: string, media: readonly DemoAttachment[]): string =>
  media.find((item) => item.file === file)!.url;

/** The labels of each demo workspace. */
const DEMO_LABELS: readonly { name: string; color: string }[] = [
  { name: 'Launch', color: '#e4572e' },
  { name: 'Öffnungszeiten', color: '#17bebb' },
  { name: 'Recipes', color: '#76b041' },
  { name: 'Events', color: '#ffc914' },
  { name: '日本', color: '#bc002d' },
  { name: '台灣', color: '#000095' },
  { name: 'ไทย', color: '#2d2a4a' },
  { name: 'مصر', color: '#c09300' },
  { name: 'Sustainability', color: '#2e7d32' },
  { name: 'Behind the bar', color: '#6d4c41' },
  { name: 'Campaign: spring', color: '#ec407a' },
  { name: 'evergreen', color: '#808080' },
];
