import type { AccountType, Network } from '../domain/networks/networks.js';
import type { Scope } from '../domain/access/scopes.js';
import type { Plan, Role } from '../domain/vocabulary.js';

/** The people of the demo by their part; `addressed` at one domain, by which a reset finds them again. */
export const PEOPLE = {
  owner: { name: 'Johanna Petersen', plan: 'business' },
  admin: { name: '林美玲 (Mei-Ling Lin)', plan: 'business' },
  editor: { name: 'Jonas Brückner', plan: 'business' },
  editorWithPostActions: { name: '佐藤 陽子', plan: 'business' },
  viewer: { name: 'Karim El-Sayed', plan: 'business' },
  freePlan: { name: 'สมชาย ใจดี', plan: 'free' },
  outsider: { name: 'Olivia Reyes', plan: 'business' },
  /** Owns the other workspace; on the professional plan, so that its daily caps are smaller (D34). No key. */
  partner: { name: 'Mårten Lindqvist', plan: 'professional' },
} as const satisfies Record<string, { name: string; plan: Plan }>;
export type Part = keyof typeof PEOPLE;

export const addressOf = (part: Part): string => `${part.toLowerCase()}@nordlicht.example`;

interface DemoMember {
  part: Part;
  role: Role;
  postActions?: boolean;
}
interface DemoAccount {
  name: string;
  network: Network;
  type: AccountType;
  handle: string;
  needsReauth?: boolean;
}
export interface DemoWorkspace {
  name: string;
  timeZone: string;
  requiresApproval: boolean;
  owner: Part;
  members: readonly DemoMember[];
  accounts: readonly DemoAccount[];
}

/** Its network asks for a pause, so that one edit of the demo is under way for half a day. */
export const SLOW_ACCOUNT = 'Johanna Petersen';

/** Without approval: every rule but those of approval can be tried here with all keys. */
export const MAIN: DemoWorkspace = {
  name: 'Nordlicht Kaffeerösterei',
  timeZone: 'Europe/Berlin',
  requiresApproval: false,
  owner: 'owner',
  members: [
    { part: 'admin', role: 'admin' },
    { part: 'editor', role: 'editor' },
    { part: 'editorWithPostActions', role: 'editor', postActions: true },
    { part: 'viewer', role: 'viewer' },
    { part: 'freePlan', role: 'editor' },
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

/** Requires approval: what the rules of approval say (delete rule 3, D24) is tried here with the editors' keys. */
export const OTHER: DemoWorkspace = {
  name: 'Lindenhof Bageri',
  timeZone: 'Europe/Stockholm',
  requiresApproval: true,
  owner: 'partner',
  members: [
    { part: 'owner', role: 'admin' },
    { part: 'editor', role: 'editor' },
    { part: 'editorWithPostActions', role: 'editor', postActions: true },
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

interface DemoKey {
  part: Part;
  scopes: readonly Scope[];
  state?: 'expired' | 'revoked';
}
const EVERYTHING = ['workspaces', 'accounts', 'posts', 'media'] as const;
const ofPart = (part: Part): DemoKey => ({ part, scopes: ['posts'] });

export const KEYS = {
  owner: { part: 'owner', scopes: EVERYTHING },
  admin: ofPart('admin'),
  editor: ofPart('editor'),
  editorWithPostActions: ofPart('editorWithPostActions'),
  viewer: ofPart('viewer'),
  accountsOnly: { part: 'owner', scopes: ['accounts'] },
  postsRead: { part: 'owner', scopes: ['posts:read'] },
  expired: { part: 'owner', scopes: EVERYTHING, state: 'expired' },
  revoked: { part: 'owner', scopes: EVERYTHING, state: 'revoked' },
  freePlan: ofPart('freePlan'),
  outsider: ofPart('outsider'),
} as const satisfies Record<string, DemoKey>;
export type DemoKeyName = keyof typeof KEYS;
