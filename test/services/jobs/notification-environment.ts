import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Post } from '../../../src/domain/posts/post.js';
import { createWebhook } from '../../../src/networks/webhook.js';
import { systemClock } from '../../../src/services/clock.js';
import type { KeyedViewer } from '../../fixtures/records.js';
import { updatedPost } from '../../fixtures/services.js';
import { testWorker, type TestWorker } from '../../fixtures/test-worker.js';
import { aWebhookReceiver, type ReceivedWebhook } from '../../fixtures/webhook-receiver.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

interface NotificationJob {
  readonly id: string;
  readonly notification_id: string;
}

/** A worker that delivers notifications to a receiver. */
export interface NotificationEnvironment {
  readonly worker: TestWorker;
  readonly receiver: Awaited<ReturnType<typeof aWebhookReceiver>>;
  /** Removes all jobs, and creates the members of a workspace that requires approval. */
  createMembers(): Promise<{ owner: KeyedViewer; editor: KeyedViewer }>;
  jobs(): Promise<NotificationJob[]>;
  close(): Promise<void>;
}

export async function openNotificationEnvironment(): Promise<NotificationEnvironment> {
  const receiver = await aWebhookReceiver();
  const worker = await testWorker({
    webhook: createWebhook({ url: receiver.url, secrets: [secret], clock: systemClock }),
  });
  return {
    worker,
    receiver,
    async createMembers() {
      await worker.clearJobs();
      receiver.reset();
      const { id: workspaceId, ownerId } = await worker.aWorkspace({ requiresApproval: true });
      return {
        owner: await worker.aViewer({ workspaceId, userId: ownerId, role: 'owner' }),
        editor: await worker.aViewer({ workspaceId, postActions: true }),
      };
    },
    jobs: () =>
      worker.sql<NotificationJob>(
        "SELECT id, notification_id FROM job WHERE kind = 'notification'",
      ),
    async close() {
      await receiver.close();
      await worker.database.drop();
    },
  };
}

/** Verifies the signature of a delivery, and returns its content. */
export const verified = ({ body, headers }: ReceivedWebhook) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, string>;
  };

/** A change that needs the owner's approval, and the job of its notification. */
export async function createNotification(
  { worker, jobs }: NotificationEnvironment,
  { owner, editor }: { owner: KeyedViewer; editor: KeyedViewer },
): Promise<{ post: Post; job: string }> {
  const post = await worker.aPost({ by: owner, text: 'Nobody outside may read this' });
  updatedPost(await worker.update(editor, post, { text: 'Nor this, which is new' }));
  const [job] = await jobs();
  return { post, job: job!.id };
}
