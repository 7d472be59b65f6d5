import { randomBytes } from 'node:crypto';
import type { Change } from '../domain/changes/change.js';
import { KEY_ENTROPY_BYTES, keyValue } from '../domain/access/api-key.js';
import type { AdminStore } from '../persistence/admin/admin-store.js';
import { keyHash } from '../services/access/key-hash.js';
import { SHOWN_CHARACTERS } from '../services/access/keys.js';
import type { Clock, Ids, PostStore } from '../services/ports.js';
import type { SandboxStore } from '../services/networks/sandbox-ports.js';
import { calendarAt, type Calendar } from './calendar.js';
import {
  addressOf,
  KEYS,
  MAIN,
  OTHER,
  PEOPLE,
  type DemoKeyName,
  type DemoWorkspace,
  type Part,
} from './cast.js';
import { firstChange, laterChanges, slowPost } from './demo-changes.js';
import { readDemoFile, writeDemoFile, type DemoAddresses, type DemoFile } from './demo-file.js';
import { mainPosts } from './main-posts.js';
import { otherPosts } from './other-posts.js';
import { sceneOf, usersOf, type Scene } from './scene.js';

interface DemoParts {
  readonly admin: AdminStore;
  readonly posts: Pick<PostStore, 'save' | 'reserveIds'>;
  readonly sandbox: Pick<SandboxStore, 'setFaults'>;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Where demo.json lies. */
  readonly dataDir: string;
  /** Runs the work while no other process makes or resets the demo. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * A roastery's workspace to try every rule on, and a bakery's beside it. The roastery requires no approval: its
 * pending posts are from before; whatever a key's user may do can be tried there with all eleven keys. The bakery
 * requires approval: the owner is an admin of it and both editors are editors, so that delete rule 3 and D24 can be
 * tried there. What a key stands for is in KEYS, the people are in PEOPLE.
 */
export interface Demo {
  /** Makes the demo where there is none, and keeps demo.json's addresses current. */
  ensure(addresses: DemoAddresses): Promise<DemoFile>;
  /** Makes it as it was at first, whatever was changed, deleted or imported; keys and workspaces keep their values and ids. Null where there is none. */
  reset(): Promise<DemoFile | null>;
}

export function createDemo(parts: DemoParts): Demo {
  const { dataDir, alone, admin } = parts;
  return {
    ensure: (addresses) =>
      alone(async () => {
        const { restoring, ...stored } = (await readDemoFile(dataDir)) ?? newDemo(parts.ids);
        const demo: DemoFile = { ...stored, ...addresses };
        const isMade =
          !restoring &&
          (await admin.hasWorkspace(demo.workspaceId)) &&
          (await admin.hasWorkspace(demo.otherWorkspaceId));
        if (!isMade) await make(parts, demo);
        await writeDemoFile(dataDir, demo);
        return demo;
      }),
    reset: () =>
      alone(async () => {
        const stored = await readDemoFile(dataDir);
        if (!stored) return null;
        const { restoring: _restoring, ...demo } = stored;
        await writeDemoFile(dataDir, { ...demo, restoring: true });
        await make(parts, demo);
        await writeDemoFile(dataDir, demo);
        return demo;
      }),
  };
}

function newDemo(ids: Ids): Omit<DemoFile, keyof DemoAddresses> & { restoring?: true } {
  const keys = Object.fromEntries(
    Object.keys(KEYS).map((name) => [name, keyValue(randomBytes(KEY_ENTROPY_BYTES))]),
  ) as Record<DemoKeyName, string>;
  return {
    apiKey: keys.owner,
    workspaceId: ids.prefixed('wks'),
    otherWorkspaceId: ids.prefixed('wks'),
    keys,
  };
}

/** Clears what is there of the demo, the half of one that was cut short too, and makes it. */
async function make(
  parts: DemoParts,
  { workspaceId, otherWorkspaceId, keys }: DemoFile,
): Promise<void> {
  const { admin, ids, clock } = parts;
  await admin.removeOwned(Object.keys(PEOPLE).map((part) => addressOf(part as Part)));
  const calendar = calendarAt(clock.now());
  const users = usersOf(ids);
  for (const part of Object.keys(users) as Part[]) {
    const { plan } = PEOPLE[part];
    users[part] = {
      ...users[part],
      id: await admin.restoreUser({ ...users[part], plan, email: addressOf(part) }),
    };
  }
  const main = sceneOf(MAIN, workspaceId, users, ids);
  const other = sceneOf(OTHER, otherWorkspaceId, users, ids);
  await addPlaces(admin, MAIN, main);
  await addPlaces(admin, OTHER, other);

  const numbers = (await parts.posts.reserveIds(MOST_POSTS)).values();
  const posts = mainPosts(main, calendar, ids, numbers);
  await save(parts, firstChange(main, posts, calendar, ids));
  await parts.sandbox.setFaults(
    slowPost(posts).id,
    { rateLimitSeconds: SLOW_SECONDS },
    calendar.now,
  );
  for (const change of laterChanges(main, posts, calendar, ids)) await save(parts, change);
  await save(parts, firstChange(other, otherPosts(other, calendar, ids, numbers), calendar, ids));
  await addKeys(parts, users, keys, calendar);
}

const MOST_POSTS = 400;
const SLOW_SECONDS = 43_200;

async function addPlaces(
  admin: AdminStore,
  plot: DemoWorkspace,
  { workspace, users, accounts }: Scene,
): Promise<void> {
  const { plan: _plan, ...row } = workspace; // a workspace's plan is its owner's (D34)
  await admin.addWorkspace(row, users[plot.owner].id);
  for (const { part, ...membership } of plot.members)
    await admin.addMember({ workspaceId: workspace.id, userId: users[part].id, ...membership });
  for (const account of accounts) await admin.addAccount(workspace.id, account);
}

async function save({ posts }: DemoParts, change: Change): Promise<void> {
  const outcome = await posts.save(change);
  if (outcome.kind !== 'saved') throw new Error(`The demo could not be saved: ${outcome.kind}`);
}

async function addKeys(
  { admin, ids }: DemoParts,
  users: Scene['users'],
  values: DemoFile['keys'],
  calendar: Calendar,
): Promise<void> {
  for (const name of Object.keys(KEYS) as DemoKeyName[]) {
    const { part, scopes, state }: (typeof KEYS)[DemoKeyName] & { state?: 'expired' | 'revoked' } =
      KEYS[name];
    const value = values[name];
    const key = {
      id: ids.prefixed('key'),
      userId: users[part].id,
      name: `Demo: ${name}`,
      scopes,
      prefix: value.slice(0, SHOWN_CHARACTERS),
    };
    await admin.addKey(
      {
        ...key,
        createdAt: calendar.past(60),
        expiresAt: state === 'expired' ? calendar.past(0) : null,
      },
      keyHash(value),
    );
    if (state === 'revoked') await admin.revokeKey(key.id, calendar.past(0));
  }
}
