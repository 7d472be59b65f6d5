import { randomBytes } from 'node:crypto';
import { KEY_ENTROPY_BYTES, createKeyValue } from '../domain/access/api-key.js';
import type { Change } from '../domain/changes/change.js';
import { SERVICE } from '../domain/access/viewer.js';
import type { UserSummary } from '../domain/posts/post.js';
import type { AdminStore } from '../persistence/admin/admin-store.js';
import type { SandboxStore } from '../persistence/networks/sandbox-store.js';
import { keyHash } from '../services/access/key-hash.js';
import { KEY_PREFIX_LENGTH } from '../services/access/keys.js';
import type { ChangeDependencies } from '../services/changes/run-change.js';
import type { Clock } from '../services/clock.js';
import type { Ids } from '../services/ids.js';
import { acceptFile, chunksOf, type FileAcceptor } from '../services/media/accept-file.js';
import type { MediaDependencies } from '../services/media/upload-media.js';
import { createInsertChange, createEditChanges, findSlowPost } from './demo-changes.js';
import { createDemoDates, type DemoDates, type DemoContext } from './demo-context.js';
import { drawFile } from './demo-drawings.js';
import { readDemoFile, writeDemoFile, type DemoAddresses, type DemoFile } from './demo-file.js';
import { DEMO_MEDIA } from './demo-media.js';
import {
  demoEmail,
  DEMO_KEYS,
  DEMO_USERS,
  type DemoKeyName,
  type DemoUserKey,
  type KeyDefinition,
} from './demo-users.js';
import {
  createDemoWorkspace,
  createDemoUsers,
  createDemoMedia,
  MAIN_WORKSPACE,
  OTHER_WORKSPACE,
  type DemoWorkspace,
  type WorkspaceDefinition,
} from './demo-workspaces.js';
import { createOtherPosts } from './posts/approval-workspace-posts.js';
import { findRefusedPost, createMainPosts } from './posts/main-workspace-posts.js';

interface DemoDependencies {
  readonly admin: AdminStore;
  readonly posts: Pick<ChangeDependencies['store'], 'save' | 'reserveIds'>;
  readonly sandbox: Pick<SandboxStore, 'setFaults' | 'setPublishFault'>;
  /** Keeps the files of the demo's media. */
  readonly media: FileAcceptor & Pick<MediaDependencies, 'files' | 'quotas'>;
  /** URL at which clients reach media files, if it is not that of the gateway. */
  readonly mediaBaseUrl?: string | undefined;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Directory of demo.json. */
  readonly dataDir: string;
  /** Runs `work` while no other process creates or resets the demo. */
  readonly withDemoLock: <T>(work: () => Promise<T>) => Promise<T>;
}

/**
 * Two demo workspaces. The main one, of a coffee roastery, requires no approval; its pending posts
 * date from the time before that setting was changed. Every rule except the approval rules can be
 * tried there with the eleven keys. The other one, of a bakery, requires approval: `owner` is an
 * admin there and both editors are editors, so that delete rule 3 and D24 can be tried. See
 * DEMO_KEYS and DEMO_USERS.
 */
export interface Demo {
  /** Creates the demo if it does not exist, and updates the URLs in demo.json. */
  ensure(addresses: DemoAddresses): Promise<DemoFile>;
  /** The demo's workspaces and keys; null if there is no demo. */
  find(): Promise<DemoFile | null>;
  /**
   * Restores the initial demo data: deletes the two demo workspaces with everything in them, and
   * creates them again. Keys keep their values and workspaces their IDs; other workspaces and keys
   * of the demo users stay. Returns null if there is no demo.
   */
  reset(): Promise<DemoFile | null>;
}

/** Creates the demo service. */
export function createDemo(dependencies: DemoDependencies): Demo {
  const { dataDir, withDemoLock, admin } = dependencies;
  return {
    ensure: (addresses) =>
      withDemoLock(async () => {
        const { restoring, ...stored } =
          (await readDemoFile(dataDir)) ?? createDemoKeysAndIds(dependencies.ids);
        const demo: DemoFile = { ...stored, ...addresses };
        const isComplete =
          !restoring &&
          (await admin.hasWorkspace(demo.workspaceId)) &&
          (await admin.hasWorkspace(demo.otherWorkspaceId));
        if (!isComplete) await createDemoData(dependencies, demo);
        await writeDemoFile(dataDir, demo);
        return demo;
      }),
    find: () => readDemoFile(dataDir),
    reset: () =>
      withDemoLock(async () => {
        const stored = await readDemoFile(dataDir);
        if (!stored) return null;
        const { restoring: _restoring, ...demo } = stored;
        await writeDemoFile(dataDir, { ...demo, restoring: true });
        await createDemoData(dependencies, demo);
        await writeDemoFile(dataDir, demo);
        return demo;
      }),
  };
}

function createDemoKeysAndIds(
  ids: Ids,
): Omit<DemoFile, keyof DemoAddresses> & { restoring?: true } {
  const keys = Object.fromEntries(
    Object.keys(DEMO_KEYS).map((name) => [name, createKeyValue(randomBytes(KEY_ENTROPY_BYTES))]),
  ) as Record<DemoKeyName, string>;
  return {
    apiKey: keys.owner,
    workspaceId: ids.prefixed('wks'),
    otherWorkspaceId: ids.prefixed('wks'),
    keys,
  };
}

/** Deletes existing demo data, complete or not, and creates it again. */
async function createDemoData(
  dependencies: DemoDependencies,
  { workspaceId, otherWorkspaceId, keys, restUrl }: DemoFile,
): Promise<void> {
  const { admin, ids, clock, posts, sandbox, mediaBaseUrl } = dependencies;
  const url = mediaBaseUrl ?? restUrl.replace(/\/v1$/, '');
  await admin.deleteWorkspacesAndKeys(
    [workspaceId, otherWorkspaceId],
    Object.values(keys).map(keyHash),
  );
  const [mainMedia, otherMedia] = [createDemoMedia(url, ids), createDemoMedia(url, ids)];
  const users = await restoreUsers(admin, createDemoUsers(mainMedia, ids));
  const main = createDemoWorkspace(
    MAIN_WORKSPACE,
    { id: workspaceId, users, media: mainMedia },
    ids,
  );
  const other = createDemoWorkspace(
    OTHER_WORKSPACE,
    { id: otherWorkspaceId, users, media: otherMedia },
    ids,
  );
  await addWorkspace(admin, MAIN_WORKSPACE, main);
  await addWorkspace(admin, OTHER_WORKSPACE, other);
  await addMedia(dependencies, [main, other]);

  const databaseIds = (await posts.reserveIds(MAX_POSTS)).values();
  const context: DemoContext = { dates: createDemoDates(clock.now()), ids, databaseIds };
  const mainWorkspacePosts = createMainPosts(main, context);
  await save(posts, createInsertChange(main, mainWorkspacePosts, context));
  await sandbox.setFaults(
    findSlowPost(mainWorkspacePosts).id,
    { rateLimitSeconds: SLOW_POST_DELAY_SECONDS },
    context.dates.now,
  );
  await sandbox.setPublishFault(findRefusedPost(mainWorkspacePosts).id, 'refuse', 1);
  for (const change of createEditChanges(main, mainWorkspacePosts, context))
    await save(posts, change);
  await save(posts, createInsertChange(other, createOtherPosts(other, context), context));
  for (const name of Object.keys(DEMO_KEYS) as DemoKeyName[])
    await addKey(dependencies, { name, value: keys[name], users }, context.dates);
}

/** Upper limit for the posts of the demo, whose database IDs are reserved together. */
const MAX_POSTS = 400;
const SLOW_POST_DELAY_SECONDS = 43_200;
const DEMO_USER_KEYS = Object.keys(DEMO_USERS) as DemoUserKey[];

/** Creates the users, or restores their names and plans. Existing users keep their IDs. */
async function restoreUsers(
  admin: AdminStore,
  created: Record<DemoUserKey, UserSummary>,
): Promise<Record<DemoUserKey, UserSummary>> {
  const users = { ...created };
  for (const key of DEMO_USER_KEYS) {
    const { plan } = DEMO_USERS[key];
    const id = await admin.restoreUser({ ...users[key], plan, email: demoEmail(key) });
    users[key] = { ...users[key], id };
  }
  return users;
}

async function addWorkspace(
  admin: AdminStore,
  definition: WorkspaceDefinition,
  { workspace, users, accounts }: DemoWorkspace,
): Promise<void> {
  const { plan: _plan, ...row } = workspace; // the plan of a workspace is its owner's (D34)
  await admin.addWorkspace(row, users[definition.owner].id);
  for (const { user, ...membership } of definition.members)
    await admin.addMember({ workspaceId: workspace.id, userId: users[user].id, ...membership });
  for (const account of accounts) await admin.addAccount(workspace.id, account);
}

/** Draws the files of media, and adds them to their workspaces. */
async function addMedia(
  { media, clock }: DemoDependencies,
  workspaces: readonly DemoWorkspace[],
): Promise<void> {
  for (const { file, title } of DEMO_MEDIA) {
    const drawn = await drawFile(file, title);
    for (const { workspace, users, media: items } of workspaces) {
      const item = items.find((one) => one.file === file)!;
      const received = await media.incoming.receive(chunksOf([drawn]), Infinity);
      const accepted = await acceptFile(media, received, workspace.id);
      await media.incoming.discard(received);
      const actor = { ...SERVICE, userId: users.owner.id };
      const quota = media.quotas.business;
      const origin = { workspaceId: workspace.id, actor, at: clock.now(), quota };
      await media.files.create(origin, item, { ...accepted, token: item.token });
    }
  }
}

async function save(posts: DemoDependencies['posts'], change: Change): Promise<void> {
  const outcome = await posts.save(change);
  if (outcome.kind !== 'saved') throw new Error(`Failed to save the demo posts: ${outcome.kind}`);
}

async function addKey(
  { admin, ids }: DemoDependencies,
  { name, value, users }: { name: DemoKeyName; value: string; users: DemoWorkspace['users'] },
  dates: DemoDates,
): Promise<void> {
  const { user, scopes, state }: KeyDefinition = DEMO_KEYS[name];
  const id = ids.prefixed('key');
  await admin.addKey(
    {
      id,
      userId: users[user].id,
      name: `Demo: ${name}`,
      scopes,
      prefix: value.slice(0, KEY_PREFIX_LENGTH),
      createdAt: dates.past(60),
      expiresAt: state === 'expired' ? dates.past(0) : null,
    },
    keyHash(value),
  );
  if (state === 'revoked') await admin.revokeKey(id, dates.past(0));
}
