import type { Network } from '../domain/networks/networks.js';
import type { Role } from '../domain/enums.js';
import type { DemoUserKey } from './demo-users.js';
import type { AccountType } from '../domain/networks/network-definition.js';

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
