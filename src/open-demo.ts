import { createAdminStore } from './persistence/admin-store.js';
import type { Database } from './persistence/database.js';
import { exclusively } from './persistence/exclusively.js';
import { createPostStore } from './persistence/post-store.js';
import { createIds, systemClock } from './services/random-ids.js';
import { createDemo, type Demo } from './demo/demo.js';

/** The demo of an open database; it belongs on the embedded default only. */
export const openDemo = ({ pool, prisma }: Pick<Database, 'pool' | 'prisma'>, dataDir: string): Demo => createDemo({
  admin: createAdminStore(prisma), posts: createPostStore(pool), ids: createIds(), clock: systemClock, dataDir,
  alone: (work) => exclusively(pool, 'demo', work),
});
