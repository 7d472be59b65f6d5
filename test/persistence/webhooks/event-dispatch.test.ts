import { createEventDispatch } from '../../../src/persistence/webhooks/event-dispatch.js';
import { HORIZON } from '../../../src/persistence/events/event-store.js';
import { eventIdOf } from '../../../src/services/events/live-event.js';
import { settled } from '../../fixtures/settled.js';
import { createWebhook, deliveriesOf, webhookGateway } from '../../webhooks/webhook-gateway.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const gateway = forAllTests(() => webhookGateway(), 'close');
afterEach(() => gateway.db.pool.query('DELETE FROM webhook'));
const URL = 'http://127.0.0.1:9/';
/** Runs once all events so far can be read. */
async function dispatch(): Promise<void> {
  await settled(gateway.db.pool);
  while (await createEventDispatch(gateway.db).dispatch(new Date()));
}
const sql = async (text: string) => (await gateway.db.pool.query(text)).rows;

it('deliveries have the public IDs of their events, and are written once', async () => {
  const { id } = await createWebhook(gateway, URL);
  await gateway.records.aPost({ by: gateway.owner });
  await dispatch();
  await dispatch();
  const [event] = await sql(
    `SELECT transaction_id, sequence FROM event WHERE type = 'post.created' ORDER BY sequence DESC LIMIT 1`,
  );
  const [{ database }] = await sql(`SELECT ${HORIZON}`);
  expect((await deliveriesOf(gateway, id)).map((delivery) => delivery.event_id)).toEqual([
    eventIdOf(database, {
      transactionId: BigInt(event.transaction_id),
      sequence: BigInt(event.sequence),
    }),
  ]);
});

it('more events than one page, for several webhooks', async () => {
  const webhooks = [await createWebhook(gateway, URL), await createWebhook(gateway, URL)];
  await sql(
    `INSERT INTO event (workspace_id, at, type, record_id, api, changed) SELECT '${gateway.owner.workspace.id}', now(), 'label.changed', 'lbl_' || n, 'graphql', '{}' FROM generate_series(1, 450) n`,
  );
  await gateway.v1('PUT', `/webhooks/${webhooks[1]!.id}`, { body: { types: ['label.changed'] } });
  await dispatch();
  const counts = await sql(
    'SELECT webhook_id, count(*)::int AS deliveries FROM webhook_delivery GROUP BY 1',
  );
  expect(counts).toEqual([{ webhook_id: webhooks[1]!.id, deliveries: 450 }]);
});

it('in a restored database, nothing of before is sent', async () => {
  const { id } = await createWebhook(gateway, URL);
  const { body: test } = await gateway.v1('POST', `/webhooks/${id}/test`);
  await gateway.records.aPost({ by: gateway.owner });
  await sql("UPDATE webhook SET read_database = 'another'");
  await dispatch();
  expect(await deliveriesOf(gateway, id)).toMatchObject([
    { id: test.id, status: 'failed', error: 'A backup of the database was restored.' },
  ]);
  await gateway.records.aPost({ by: gateway.owner });
  await dispatch();
  expect(await deliveriesOf(gateway, id)).toMatchObject([
    { event_type: 'post.created', status: 'pending' },
    { id: test.id },
  ]);
});

it('nothing is read while publication is paused because of a restore', async () => {
  const { id } = await createWebhook(gateway, URL);
  await sql('INSERT INTO publishing_pause (backup_at) VALUES (now())');
  await gateway.records.aPost({ by: gateway.owner });
  await dispatch();
  expect(await deliveriesOf(gateway, id)).toEqual([]);
  await sql('UPDATE publishing_pause SET resumed_at = now()');
  await dispatch();
  expect(await deliveriesOf(gateway, id)).toHaveLength(1);
});
