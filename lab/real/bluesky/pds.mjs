// Starts Bluesky's own server, a PDS, on the port and in the folder of the arguments. Runs on the
// Node.js of this folder's packages.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { startPlcDirectory } from './plc-directory.mjs';

const [port, folder] = process.argv.slice(2);
const SQLITE = new URL('node-sqlite.mjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'better-sqlite3' ? { url: SQLITE, shortCircuit: true } : next(specifier, context),
});

const secret = () => randomBytes(32).toString('hex');
const blobs = path.join(folder, 'blobs');
mkdirSync(blobs, { recursive: true });
const { url } = await startPlcDirectory();
Object.assign(process.env, {
  PDS_PORT: port,
  PDS_HOSTNAME: 'localhost',
  PDS_DEV_MODE: 'true',
  PDS_DATA_DIRECTORY: folder,
  PDS_BLOBSTORE_DISK_LOCATION: blobs,
  PDS_DID_PLC_URL: url,
  PDS_SERVICE_HANDLE_DOMAINS: '.test',
  PDS_INVITE_REQUIRED: 'false',
  PDS_DISABLE_SSRF_PROTECTION: 'true',
  PDS_JWT_SECRET: secret(),
  PDS_DPOP_SECRET: secret(),
  PDS_ADMIN_PASSWORD: secret(),
  PDS_PLC_ROTATION_KEY_K256_PRIVATE_KEY_HEX: secret(),
  LOG_ENABLED: 'false',
});
const { PDS, envToCfg, envToSecrets, readEnv } = await import('@atproto/pds');
const environment = readEnv();
const pds = await PDS.create(envToCfg(environment), envToSecrets(environment));
await pds.start();
process.stdout.write('ready\n');
