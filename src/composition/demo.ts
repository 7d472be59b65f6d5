import path from 'node:path';
import type { Config } from '../config/config.js';
import type { DemoFile } from '../demo/demo-file.js';
import { createDemo, type Demo } from '../demo/demo.js';
import type { GrantsVersions } from '../domain/access/cached-grants-lifetime.js';
import { STORED_STATES } from '../domain/posts/states.js';
import { createAdminStore } from '../persistence/admin/admin-store.js';
import { withAdvisoryLock } from '../persistence/advisory-lock.js';
import type { Database } from '../persistence/database.js';
import { createMediaFileStore } from '../persistence/media/media-file-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { NO_GRANTS_VERSIONS } from '../redis/grants-versions.js';
import { createIds } from '../services/ids.js';
import type { Gateway } from './gateway.js';
import { composeMediaFiles, mediaQuotas } from './media.js';
import type { ConfiguredDatabase } from './open-database.js';

interface DemoDatabase {
  readonly database: Database & Pick<ConfiguredDatabase, 'isNew' | 'clock'>;
  readonly grantsVersions: GrantsVersions;
}

/** Sets up the demo in an open database. Use it with the embedded server only. */
export const openDemo = ({ database, grantsVersions }: DemoDatabase, config: Config): Demo =>
  createDemo({
    // no process can have cached grants of a new database
    admin: createAdminStore(database, database.isNew ? NO_GRANTS_VERSIONS : grantsVersions),
    posts: createPostStore(database),
    sandbox: createSandboxStore(database),
    media: {
      ...composeMediaFiles(config),
      files: createMediaFileStore(database),
      quotas: mediaQuotas(config),
    },
    mediaBaseUrl: config.mediaBaseUrl,
    ids: createIds(database.clock),
    clock: database.clock,
    dataDir: config.dataDir,
    withDemoLock: (work) => withAdvisoryLock(database, 'demo', work),
  });

/**
 * Sets up the demo in the embedded database, and returns the lines of the startup message about it.
 */
export async function setUpDemo(
  { database, grantsVersions }: Gateway,
  config: Config,
  url: string,
): Promise<string[]> {
  const demo = await openDemo({ database, grantsVersions }, config).ensure({
    graphqlUrl: `${url}/graphql`,
    restUrl: `${url}/v1`,
  });
  const post = await database.prisma.post.findFirst({
    where: {
      workspaceId: demo.workspaceId,
      storedState: STORED_STATES.published_posted.number,
      network: 'mastodon',
      type: 'status',
      deletedAt: null,
    },
    orderBy: { id: 'asc' },
    select: { docId: true },
  });
  return demoLines(url, demo, {
    demoFile: path.join(config.dataDir, 'demo.json'),
    postId: post?.docId ?? '<id>',
  });
}

/** The demo's key, the variables of the guides, and four commands to copy. `postId` is a published post that the key may edit. */
function demoLines(
  url: string,
  { apiKey, workspaceId, graphqlUrl, restUrl }: DemoFile,
  { demoFile, postId }: { demoFile: string; postId: string },
): string[] {
  const headers = `-H 'Authorization: Bearer-API ${apiKey}' -H 'Service-Workspace-Id: ${workspaceId}'`;
  const json = "-H 'Content-Type: application/json'";
  return [
    `  Demo key    ${apiKey}`,
    `  Workspace   ${workspaceId}`,
    `  More keys   ${demoFile}`,
    '',
    'For the guides, define these variables in a second terminal:',
    `HOST=${url}`,
    `export KEY=${apiKey}`,
    `export WORKSPACE=${workspaceId}`,
    '',
    'List posts, over GraphQL:',
    `curl -s ${graphqlUrl} ${headers} ${json} -d '{"query":"{ posts(first: 3) { totalCount nodes { id state network text } } }"}'`,
    '',
    'List posts, over v1:',
    `curl -s '${restUrl}/posts?state=scheduled' ${headers}`,
    '',
    'Update a post that is published:',
    `curl -s -X PUT ${restUrl}/posts/${postId} ${headers} ${json} -d '{"post":{"text":"Edited through the gateway."}}'`,
    '',
    'See it on its network (simulated by the demo):',
    `curl -s ${url}/sandbox/${postId} ${headers}`,
  ];
}
