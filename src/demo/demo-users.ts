import type { Scope } from '../domain/access/viewer.js';
import type { Plan } from '../domain/enums.js';

/**
 * The users of the demo, each with a file of DEMO_MEDIA as picture. A reset finds them by their
 * email addresses, see `demoEmail`.
 */
export const DEMO_USERS = {
  owner: { name: 'Johanna Petersen', plan: 'business', picture: 'hafenstrasse-morning.jpg' },
  admin: { name: '林美玲 (Mei-Ling Lin)', plan: 'business', picture: 'taipei-menu.jpg' },
  editor: { name: 'Jonas Brückner', plan: 'business', picture: 'roaster-drum.jpg' },
  editorWithPostActions: {
    name: '佐藤 陽子',
    plan: 'business',
    picture: 'shimokitazawa-window.jpg',
  },
  viewer: { name: 'Karim El-Sayed', plan: 'business', picture: 'cairo-corner.jpg' },
  freePlan: { name: 'สมชาย ใจดี', plan: 'free', picture: 'bangkok-cake.jpg' },
  outsider: { name: 'Olivia Reyes', plan: 'business', picture: 'yirgacheffe-bag.jpg' },
  /**
   * Owns the other workspace. The professional plan gives it lower daily caps (D34). Has no key.
   */
  partner: { name: 'Mårten Lindqvist', plan: 'professional', picture: 'latte-art-swan.jpg' },
} as const satisfies Record<string, { name: string; plan: Plan; picture: string }>;
/** Key of DEMO_USERS. */
export type DemoUserKey = keyof typeof DEMO_USERS;

/** Email address of a demo user. */
export const demoEmail = (user: DemoUserKey): string => `${user.toLowerCase()}@nordlicht.example`;

/** An API key of the demo. Valid unless `state` is set. */
export interface KeyDefinition {
  user: DemoUserKey;
  scopes: readonly Scope[];
  state?: 'expired' | 'revoked';
}
const ALL_SCOPES = ['workspaces', 'accounts', 'posts', 'media', 'webhooks', 'connections'] as const;
const postsKey = (user: DemoUserKey): KeyDefinition => ({ user, scopes: ['posts'] });

/** The API keys of the demo by their name in demo.json. */
export const DEMO_KEYS = {
  owner: { user: 'owner', scopes: ALL_SCOPES },
  admin: postsKey('admin'),
  editor: postsKey('editor'),
  editorWithPostActions: postsKey('editorWithPostActions'),
  viewer: postsKey('viewer'),
  accountsOnly: { user: 'owner', scopes: ['accounts'] },
  postsRead: { user: 'owner', scopes: ['posts:read'] },
  expired: { user: 'owner', scopes: ALL_SCOPES, state: 'expired' },
  revoked: { user: 'owner', scopes: ALL_SCOPES, state: 'revoked' },
  freePlan: postsKey('freePlan'),
  outsider: postsKey('outsider'),
} as const satisfies Record<string, KeyDefinition>;
/** Name of a key in demo.json. */
export type DemoKeyName = keyof typeof DEMO_KEYS;
