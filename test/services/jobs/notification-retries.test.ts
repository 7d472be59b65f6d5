import type { KeyedViewer } from '../../fixtures/records.js';
import type { TestWorker } from '../../fixtures/test-worker.js';
import {
  createNotification,
  openNotificationEnvironment,
  verified,
  type NotificationEnvironment,
} from './notification-environment.js';

let environment: NotificationEnvironment;
let receiver: NotificationEnvironment['receiver'];
let worker: TestWorker;
let owner: KeyedViewer;
let editor: KeyedViewer;
beforeAll(async () => {
  environment = await openNotificationEnvironment();
  ({ receiver, worker } = environment);
});
beforeEach(async () => {
  ({ owner, editor } = await environment.createMembers());
});
afterAll(() => environment.close());

const aNotification = () => createNotification(environment, { owner, editor });

const status = (code: number, headers = {}) =>
  receiver.respondWith((response) => {
    response.writeHead(code, headers).end();
  });

describe('a delivery that the receiver defers', () => {
  it.each([[500], [429], [408]])(
    '(%i) is retried with the same id, after a pause',
    async (code) => {
      const { job } = await aNotification();
      status(code);
      expect(await worker.runDueJobs()).toEqual(['retried']);
      const { due_in: pause, ...row } = await worker.job(job);
      expect(row).toMatchObject({ status: 'working', attempts: 1, failures: [], leased: false });
      expect(pause).toBeGreaterThan(4);
      expect(pause).toBeLessThanOrEqual(5);
      expect(await worker.runDueJobs()).toEqual([]);

      receiver.respondWith((response) => response.writeHead(200).end());
      await worker.makeJobsDue();
      expect(await worker.runDueJobs()).toEqual(['completed']);
      const [first, second] = receiver.received;
      expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id']);
      expect(verified(first!)).toEqual(verified(second!));
      expect(await worker.job(job)).toMatchObject({ status: 'completed', attempts: 2 });
    },
  );

  it('waits for the requested pause', async () => {
    const { job } = await aNotification();
    status(503, { 'retry-after': '3600' });
    await worker.runDueJobs();
    expect((await worker.job(job)).due_in).toBeGreaterThan(3_590);
  });

  it('fails after the last attempt, with the reason', async () => {
    const { post, job } = await aNotification();
    status(502);
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(await worker.runDueJobs()).toEqual(['retried']);
      await worker.makeJobsDue();
    }
    expect(await worker.runDueJobs()).toEqual(['failed']);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await worker.job(job)).toMatchObject({
      status: 'failed',
      attempts: 10,
      failures: [
        { id: post.id, code: 'WEBHOOK_UNAVAILABLE', message: 'The webhook returned 502.' },
      ],
    });
  });
});
