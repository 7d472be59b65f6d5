import path from 'node:path';
import type { Config } from '../../config/config.js';
import { STORED_STATES } from '../../domain/posts/states.js';
import { openDemo } from './demo-setup.js';
import type { Gateway } from '../gateway.js';
import { demoLines } from '../startup-message.js';

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
