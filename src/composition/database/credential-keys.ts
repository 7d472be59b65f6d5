import type { Config } from '../../config/config.js';
import { withLockFile } from '../../embedded-postgres/lock-file.js';
import {
  createCredentialKeys,
  keyFileIn,
  type CredentialKeys,
} from '../../persistence/credentials/credential-keys.js';
import type { ConfiguredDatabase } from './open-database.js';

type KeyConfig = Pick<Config, 'credentialsKeys' | 'dataDir'>;
type EmbeddedFlag = Pick<ConfiguredDatabase, 'isEmbedded'>;

/** Path of the key file next to an embedded database; null with DATABASE_URL. */
const credentialKeyFile = (
  { dataDir }: Pick<Config, 'dataDir'>,
  { isEmbedded }: EmbeddedFlag,
): string | null => (isEmbedded ? keyFileIn(dataDir) : null);

/** The configured credential keys, and the key file of an embedded database. */
export const openCredentialKeys = (config: KeyConfig, database: EmbeddedFlag): CredentialKeys =>
  createCredentialKeys({
    configured: config.credentialsKeys,
    keyFile: credentialKeyFile(config, database),
    withLockFile,
  });
