import { createAdminStore } from '../persistence/admin/admin-store.js';
import { NO_EPOCHS, type AccessEpochs } from '../redis/grants-versions.js';
import type { Database } from '../persistence/database.js';
import { exclusively } from '../persistence/advisory-lock.js';
import { createPostStore } from '../persistence/posts/post-store.js';
import { createSandboxStore } from '../persistence/networks/sandbox-store.js';
import { createIds, systemClock } from '../services/random-ids.js';
import { createDemo, type Demo } from '../demo/demo.js';

interface DemoPlace extends Pick<Database, 'pool' | 'prisma' | 'fresh'> {
  readonly epochs: AccessEpochs;
}

/** The demo of an open database; it belongs on the embedded default only. */
export const openDemo = ({ pool, prisma, fresh, epochs }: DemoPlace, dataDir: string): Demo =>
  createDemo({
    admin: createAdminStore(prisma, fresh ? NO_EPOCHS : epochs), // in a database just made, nobody can have read a grant
    posts: createPostStore(pool),
    sandbox: createSandboxStore(pool),
    ids: createIds(),
    clock: systemClock,
    dataDir,
    alone: (work) => exclusively(pool, 'demo', work),
  });
