import type { Scope } from '../domain/access/scopes.js';
import type { Plan } from '../domain/enums.js';

/** The users of the demo. A reset finds them by their email addresses, see `demoEmail`. */
export const DEMO_USERS = {
  owner: { name: 'Johanna Petersen', plan: 'business' },
  admin: { name: '林美玲 (Mei-Ling Lin)', plan: 'business' },
  editor: { name: 'Jonas Brückner', plan: 'business' },
  editorWithPostActions: { name: '佐藤 陽子', plan: 'business' },
  viewer: { name: 'Karim El-Sayed', plan: 'business' },
  freePlan: { name: 'สมชาย ใจดี', plan: 'free' },
  outsider: { name: 'Olivia Reyes', plan: 'business' },
  /**
   * Owns the other workspace. The professional plan gives it lower daily caps (D34). Has no key.
   */
  partner: { name: 'Mårten Lindqvist', plan: 'professional' },
} as const satisfies Record<string, { name: string; plan: Plan }>;
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
const ALL_SCOPES = ['workspaces', 'accounts', 'posts', 'media', 'webhooks'] as const;
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
