import type { Pool } from 'pg';
import type { DemoFile } from '../../src/demo/demo-file.js';
import { seal } from '../../src/persistence/credentials/credential-keys.js';

/** The key of the gateway, which seals the secrets of webhooks. */
export const CREDENTIALS_KEY = Buffer.alloc(32, 7);

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
/** Nobody receives the messages: the name does not exist. */
const URL = 'https://hooks.fuzz.example/events';

/** The webhooks of both demo workspaces, each with a delivery; IDs are the same in every run. */
const WEBHOOKS = [
  { number: 1, workspace: 'workspaceId', status: 'active' },
  { number: 2, workspace: 'workspaceId', status: 'disabled' },
  { number: 3, workspace: 'otherWorkspaceId', status: 'active' },
] as const;

const idOf = (prefix: string, number: number): string =>
  `${prefix}_${String(number).padStart(16, '0')}`;

/** Adds the webhooks, of which there are none. */
export async function addWebhooks(pool: Pool, demo: DemoFile): Promise<void> {
  for (const { number, workspace, status } of WEBHOOKS) {
    const id = idOf('whk', number);
    await pool.query(
      `INSERT INTO webhook (id, workspace_id, url, types, status, sealed_secret, created_at)
       VALUES ($1, $2, $3, '{post.created,post.updated,post.deleted}', $4, $5, now())`,
      [id, demo[workspace], URL, status, seal(CREDENTIALS_KEY, id, { secret: SECRET })],
    );
    await pool.query(
      `INSERT INTO webhook_delivery (id, webhook_id, event_type, event_at, body, status, attempts, due_at, last_attempt_at, created_at, error)
       VALUES ($1, $2, 'webhook.test', now(), '{}', 'failed', 10, now(), now(), now(), 'The receiver is unavailable.')`,
      [idOf('dlv', number), id],
    );
  }
}
