import { STREAM_LIMITS } from '../../src/domain/events/stream-limits.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { waitFor } from '../fixtures/wait-for.js';
import { forAllTests } from '../fixtures/lifecycle.js';

beforeAll(async () => {
  // Only the timer of the comments: sockets and the database work in real time.
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
});
const gateway = forAllTests(() => gatewayWith());
afterAll(async () => {
  await gateway.close();
  jest.useRealTimers();
});

/** Opens a stream, and returns what it has sent until now. */
async function openStream(): Promise<{ text(): string; close(): void }> {
  const { apiKey, workspace } = gateway.owner;
  const abort = new AbortController();
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      Authorization: `Bearer-API ${apiKey}`,
      'Service-Workspace-Id': workspace.id,
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ query: 'subscription { events { id } }' }),
  });
  let text = '';
  const decoder = new TextDecoder();
  void (async () => {
    for await (const chunk of response.body!) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined); // closed
  return { text: () => text, close: () => abort.abort() };
}

const commentsIn = ({ text }: { text(): string }): number => text().match(/^:$/gm)?.length ?? 0;

it('a stream starts with a comment, and sends one every 15 seconds', async () => {
  const stream = await openStream();
  await waitFor(() => commentsIn(stream) === 1);
  for (const count of [2, 3]) {
    jest.advanceTimersByTime(STREAM_LIMITS.commentMs - 1);
    // What was written before has arrived when the answer to a later request has.
    await gateway.v1('GET', '/posts');
    expect(commentsIn(stream)).toBe(count - 1);
    jest.advanceTimersByTime(1);
    await waitFor(() => commentsIn(stream) === count);
  }
  expect(STREAM_LIMITS.commentMs).toBe(15_000);
  stream.close();
});
