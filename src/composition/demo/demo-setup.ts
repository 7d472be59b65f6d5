import { createDemo, type Demo } from '../../demo/demo.js';
import { createAdminStore } from '../../persistence/admin/admin-store.js';
import { withAdvisoryLock } from '../../persistence/advisory-lock.js';
import type { Database } from '../../persistence/database.js';
import { createSandboxStore } from '../../persistence/networks/sandbox-store.js';
import { createPostStore } from '../../persistence/posts/post-store.js';
import { NO_GRANTS_VERSIONS } from '../../redis/grants-versions.js';
import type { GrantsVersions } from '../../domain/access/cached-grants-lifetime.js';
import { systemClock } from '../../services/clock.js';
import { createIds } from '../../services/ids.js';
import type { Config } from '../../config/config.js';
import { createMediaFileStore } from '../../persistence/media/media-file-store.js';
import { composeMediaFiles } from '../media.js';
import type { ConfiguredDatabase } from '../database/open-database.js';

interface DemoDatabase {
  readonly database: Database & Pick<ConfiguredDatabase, 'isNew'>;
  readonly grantsVersions: GrantsVersions;
}

/** Sets up the demo in an open database. Use it with the embedded server only. */
export const openDemo = ({ database, grantsVersions }: DemoDatabase, config: Config): Demo =>
  createDemo({
    // no process can have cached grants of a new database
    admin: createAdminStore(database, database.isNew ? NO_GRANTS_VERSIONS : grantsVersions),
    posts: createPostStore(database),
    sandbox: createSandboxStore(database),
    media: { ...composeMediaFiles(config), files: createMediaFileStore(database) },
    mediaBaseUrl: config.mediaBaseUrl,
    ids: createIds(),
    clock: systemClock,
    dataDir: config.dataDir,
    withDemoLock: (work) => withAdvisoryLock(database, 'demo', work),
  });
