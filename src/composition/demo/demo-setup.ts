import { createDemo, type Demo } from '../../demo/demo.js';
import { createAdminStore } from '../../persistence/admin/admin-store.js';
import { withAdvisoryLock } from '../../persistence/advisory-lock.js';
import type { Database } from '../../persistence/database.js';
import { createSandboxStore } from '../../persistence/networks/sandbox-store.js';
import { createPostStore } from '../../persistence/posts/post-store.js';
import { NO_GRANTS_VERSIONS } from '../../redis/grants-versions.js';
import type { GrantsVersions } from '../../services/access/grants-versions.js';
import { systemClock } from '../../services/clock.js';
import { createIds } from '../../services/ids.js';
import type { ConfiguredDatabase } from '../database/open-database.js';

interface DemoDatabase {
  readonly database: Database & Pick<ConfiguredDatabase, 'isNew'>;
  readonly grantsVersions: GrantsVersions;
}

/** Sets up the demo in an open database. Use it with the embedded server only. */
export const openDemo = ({ database, grantsVersions }: DemoDatabase, dataDir: string): Demo =>
  createDemo({
    // no process can have cached grants of a new database
    admin: createAdminStore(database, database.isNew ? NO_GRANTS_VERSIONS : grantsVersions),
    posts: createPostStore(database),
    sandbox: createSandboxStore(database),
    ids: createIds(),
    clock: systemClock,
    dataDir,
    withDemoLock: (work) => withAdvisoryLock(database, 'demo', work),
  });
