import type { Config } from '../../config/config.js';
import type { OpenDatabase } from '../../persistence/database.js';
import { noReplicas, openReplicas, type Replicas } from '../../persistence/replicas/replicas.js';
import type { Log } from '../../services/log-port.js';

/** Opens the read replicas that the settings name. None of them has to be available. */
export const composeReplicas = (
  { databaseReplicaUrls: urls, databaseReplicaMaxLagMs: maxLagMs, databasePoolSize }: Config,
  primary: OpenDatabase,
  log: Log,
): Replicas =>
  urls.length === 0
    ? noReplicas(primary)
    : openReplicas({ urls, primary, poolSize: databasePoolSize, maxLagMs, log });
