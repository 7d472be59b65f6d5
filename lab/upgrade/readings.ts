import { versionOf } from '../../test/faults/change-formats.js';
import type { GatewayClient } from '../../test/faults/gateway-client.js';
import type { PostRecord } from '../../test/publishing/post-record.js';
import type { Random } from '../../test/faults/random.js';

const LIST = '{ posts(first: 20) { totalCount nodes { id version text state } } }';

interface ReadingOptions {
  readonly client: GatewayClient;
  readonly records: readonly PostRecord[];
  readonly random: Random;
  readonly violations: string[];
  isOver(): boolean;
}

/**
 * Reads posts through both APIs of both releases. A post whose creation was acknowledged can be read
 * unless a client deleted it, and never in a version from before an acknowledged change.
 */
export async function readPosts(options: ReadingOptions): Promise<number> {
  const { client, records, random, violations, isOver } = options;
  let reads = 0;
  while (!isOver()) {
    reads += 1;
    const known = records.filter(({ id }) => id !== null);
    const record = known.length > 0 && random.fraction() < 0.7 ? random.oneOf(known) : null;
    const minVersion = record?.version ?? 0;
    const { status, code, headers } = await client.send(
      reads,
      record
        ? { method: 'GET', path: `/v1/posts/${record.id}` }
        : { method: 'POST', path: '/graphql', body: { query: LIST } },
    );
    const isDeleted = record?.actions.some(
      ({ action, outcome }) => action === 'delete' && outcome !== 'refused',
    );
    if (status === 503 || (code === 'POST_NOT_FOUND' && isDeleted)) continue;
    if (status !== 200 || code !== 'OK')
      violations.push(`a read got ${status} ${code}: ${JSON.stringify(record)}`);
    else if (record && versionOf(headers['etag']) < minVersion)
      violations.push(`${record.id} was read in a version before ${minVersion}`);
  }
  return reads;
}
