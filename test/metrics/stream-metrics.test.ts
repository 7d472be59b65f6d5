import { openStream, type OpenStream } from '../fixtures/event-stream.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { expectSeries } from '../fixtures/metric-series.js';
import { forEachTest } from '../fixtures/lifecycle.js';

const gateway = forEachTest(() => gatewayWith({ metricsPort: 0 }), 'close');

const subscribe = (): Promise<OpenStream> =>
  openStream({
    url: gateway.url,
    key: gateway.owner.apiKey,
    workspaceId: gateway.owner.workspace.id,
    query: 'subscription { events(types: [POST_UPDATED]) { postId } }',
  });
const streams = (open: number): Promise<void> =>
  expectSeries(gateway.metricsUrl, 'posts_gateway_event_streams', { '': open });
const sent = (events: number): Promise<void> =>
  expectSeries(gateway.metricsUrl, 'posts_gateway_streamed_events_total', { '': events });
const ended = (expected: { closed?: number; shutdown?: number }): Promise<void> =>
  expectSeries(gateway.metricsUrl, 'posts_gateway_event_streams_ended_total', {
    '{reason="closed"}': 0,
    '{reason="too_slow"}': 0,
    '{reason="shutdown"}': 0,
    '{reason="error"}': 0,
    ...Object.fromEntries(
      Object.entries(expected).map(([reason, count]) => [`{reason="${reason}"}`, count]),
    ),
  });

it('open streams, sent events and ends are counted', async () => {
  await streams(0);
  await ended({});
  const [first, second] = [await subscribe(), await subscribe()];
  await streams(2);
  const post = await gateway.records.aPost({ by: gateway.owner, storedState: 'draft_undated' });
  for (const text of ['One', 'Two'])
    await gateway.v1('PUT', `/posts/${post.id}`, { body: { post: { text } } });
  for (const stream of [first, second]) {
    await stream.nextResult();
    await stream.nextResult();
  }
  await sent(4); // two events on two streams; the creation of the post is not among the types
  first.close();
  await streams(1);
  await ended({ closed: 1 });
  gateway.endStreams();
  await second.rest();
  await streams(0);
  await ended({ closed: 1, shutdown: 1 });
});
