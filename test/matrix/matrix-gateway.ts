import { mkdtemp, rm } from 'node:fs/promises';
import { mediaFilesOn } from '../fixtures/media-library.js';
import os from 'node:os';
import path from 'node:path';
import { createDemo } from '../../src/demo/demo.js';
import type { Scope } from '../../src/domain/access/viewer.js';
import {
  DEMO_KEYS,
  DEMO_USERS,
  type DemoKeyName,
  type KeyDefinition,
} from '../../src/demo/demo-users.js';
import type { Network } from '../../src/domain/networks/networks.js';
import { storedStateByNumber, type StoredState } from '../../src/domain/posts/states.js';
import type { PostType } from '../../src/domain/enums.js';
import { createAdminStore } from '../../src/persistence/admin/admin-store.js';
import { createSandboxStore } from '../../src/persistence/networks/sandbox-store.js';
import { createPostStore } from '../../src/persistence/posts/post-store.js';
import { NO_GRANTS_VERSIONS } from '../../src/redis/grants-versions.js';
import { createIds } from '../../src/services/ids.js';
import { gatewayWith, type TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { repeatUnavailable } from './repeat-unavailable.js';
import { installUndoLog, type UndoLog } from './undo-log.js';

/** The time of the gateway: results do not depend on when the suite runs, or for how long. */
export const NOW = new Date('2030-06-12T08:00:00Z');

/** A post of the demo. */
export interface DemoPost {
  readonly id: string;
  readonly databaseId: string;
  readonly network: Network | null;
  readonly type: PostType;
  readonly storedState: StoredState;
  /** Database ID of the series that the post is an occurrence of. */
  readonly parentId: string | null;
}

/** A valid key of the demo, in one of the two workspaces, and the posts of that workspace. */
export interface DemoCaller {
  readonly keyName: DemoKeyName;
  /** The key and the workspace, for the clients of both APIs. */
  readonly viewer: KeyedViewer;
  readonly workspaceName: string;
  /** Whether the key may change posts of the workspace. If not, no request reads a post. */
  readonly mayChangePosts: boolean;
  readonly posts: readonly DemoPost[];
}

/** A gateway with the demo. It runs no jobs, so rows change through requests only. */
export interface MatrixGateway {
  readonly gateway: TestGateway;
  readonly callers: readonly DemoCaller[];
  readonly undoLog: UndoLog;
  /** Changes accounts, so that posts cannot be removed from their networks for each of the reasons. */
  limitRemovals(): Promise<void>;
  close(): Promise<void>;
}

const POOL_SIZE = 10;
/** Expired and revoked keys are invalid: requests with them only reach the limit for attempts. */
const VALID_KEYS = (Object.keys(DEMO_KEYS) as DemoKeyName[]).filter(
  (name) => (DEMO_KEYS[name] as KeyDefinition).state === undefined,
);

export async function openMatrixGateway(): Promise<MatrixGateway> {
  const clock = { now: () => NOW };
  const gateway = repeatUnavailable(await gatewayWith({ clock, databasePoolSize: POOL_SIZE }));
  const database = gateway.db;
  const { pool, prisma } = database;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'matrix-'));
  const demo = await createDemo({
    admin: createAdminStore(database, NO_GRANTS_VERSIONS),
    posts: createPostStore(database),
    sandbox: createSandboxStore(database),
    media: mediaFilesOn(database, clock),
    mediaBaseUrl: 'https://gateway.example.com',
    ids: createIds(clock),
    clock,
    dataDir,
    withDemoLock: (work) => work(),
  }).ensure({ graphqlUrl: '', restUrl: '' });

  const callersIn = async (workspaceId: string): Promise<DemoCaller[]> => {
    const workspace = await prisma.workspace.findUniqueOrThrow({
      where: { id: workspaceId },
      include: { memberships: { include: { user: true } } },
    });
    const businessMembers = workspace.memberships
      .filter(({ user }) => user.plan === 'business')
      .map(({ user }) => user.name);
    const rows = await prisma.post.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
    const posts = rows.map(({ id, docId, network, type, storedState, parentId }) => ({
      id: docId,
      databaseId: String(id),
      network,
      type,
      storedState: storedStateByNumber.get(storedState)!,
      parentId: parentId === null ? null : String(parentId),
    }));
    return VALID_KEYS.map((keyName) => ({
      keyName,
      viewer: { apiKey: demo.keys[keyName], workspace } as unknown as KeyedViewer,
      workspaceName: workspace.name,
      mayChangePosts:
        businessMembers.includes(DEMO_USERS[DEMO_KEYS[keyName].user].name) &&
        (DEMO_KEYS[keyName].scopes as readonly Scope[]).includes('posts'),
      posts,
    }));
  };
  const undoLog = await installUndoLog(pool);
  return {
    gateway,
    callers: [...(await callersIn(demo.workspaceId)), ...(await callersIn(demo.otherWorkspaceId))],
    undoLog,
    async limitRemovals() {
      // The gateway removes no posts from Threads, and the demo's posts have no IDs on Telegram.
      await pool.query(
        "UPDATE account SET needs_reauth = needs_reauth OR network = 'linkedin', sandbox = network NOT IN ('threads', 'telegram')",
      );
      await undoLog.keep();
    },
    async close() {
      await gateway.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
