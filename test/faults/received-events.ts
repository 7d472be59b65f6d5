import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { EVENT_TYPES } from '../../src/domain/events/event.js';
import { openStream, type OpenStream } from '../fixtures/event-stream.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { aWebhookReceiver, type ReceivedWebhook } from '../fixtures/webhook-receiver.js';
import type { GatewayClient } from './gateway-client.js';
import type { RequestHistory } from './request-history.js';

/** Settings with which processes send messages to a receiver on this machine. */
export const WEBHOOK_SETTINGS = {
  CREDENTIALS_KEY: randomBytes(32).toString('base64'),
  NETWORKS_ALLOW_LOOPBACK: '1',
};

/** An event as a subscriber received it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly postId: string | null;
  readonly version: number | null;
  readonly cursor: string;
}

/** A message as the receiver of a webhook got it. */
export interface ReceivedMessage {
  /** The same for each attempt. */
  readonly id: string;
  /** Null if the signature is wrong. */
  readonly data: { readonly event_id: string; readonly version?: number | null } | null;
}

/** How a subscriber goes on after its last event. */
export interface SubscriberKind {
  readonly resumesBy: 'after' | 'Last-Event-ID';
  /** It disconnects by itself after this many events. */
  readonly eventsPerStream: number;
}

/** Subscribers that stay connected, and one that leaves often. */
export const SUBSCRIBER_KINDS: readonly SubscriberKind[] = [
  { resumesBy: 'after', eventsPerStream: Infinity },
  { resumesBy: 'Last-Event-ID', eventsPerStream: Infinity },
  { resumesBy: 'after', eventsPerStream: 25 },
];

const SUBSCRIPTION =
  'subscription ($after: String) { events(after: $after) { id type postId version cursor } }';
const PAUSE_MS = 50;
const CATCH_UP_MS = 30_000;
/** The receiver fails this often, each time at the first attempt of a message. */
const FAILS_EACH = 40;

/** The statuses of a gateway that serves a stream, is unavailable, or counts earlier streams. */
const EXPECTED_STATUSES: readonly number[] = [200, 503, 429];

/** Clients that receive the events of the load, while it runs. */
export interface EventClients {
  /** Waits until all subscribers have this event. */
  catchUp(lastEventId: string): Promise<void>;
  /** Times at which a subscriber connected. */
  connections(): number;
  close(): Promise<void>;
}

function createSubscriber(
  { resumesBy, eventsPerStream }: SubscriberKind,
  { urls, viewer, history, start }: ClientOptions & { start: string },
) {
  const received: ReceivedEvent[] = [];
  history.subscribers.push(received);
  let gateway = history.subscribers.length;
  let connections = 0;
  let isClosed = false;
  let stream: OpenStream | undefined;

  function record(result: any): void {
    const [error] = result.errors ?? [];
    if (!error) received.push(result.data.events);
    else if (error.extensions.code !== 'UNAVAILABLE')
      history.violations.push(`a subscriber got ${JSON.stringify(error)}`);
  }

  async function readStream(): Promise<void> {
    const cursor = received.at(-1)?.cursor ?? start;
    stream = await openStream({
      url: urls[gateway % urls.length]!,
      key: viewer.apiKey,
      workspaceId: viewer.workspace.id,
      query: SUBSCRIPTION,
      variables: resumesBy === 'after' ? { after: cursor } : {},
      headers: resumesBy === 'after' ? {} : { 'Last-Event-ID': cursor },
    });
    const { status } = stream;
    if (!EXPECTED_STATUSES.includes(status))
      history.violations.push(`a subscriber got status ${status}`);
    if (status !== 200) return;
    connections += 1;
    const first = received.length;
    while (!isClosed && received.length - first < eventsPerStream) {
      const message = await stream.next();
      if (!message) return;
      if (message.event === 'next') record(message.data);
    }
  }

  const running = (async () => {
    while (!isClosed) {
      // A connection that breaks is what the faults are for: the events show whether any is lost.
      await readStream().catch(() => undefined);
      stream?.close();
      gateway += 1;
      await sleep(PAUSE_MS);
    }
  })();
  return {
    received,
    connections: () => connections,
    async close() {
      isClosed = true;
      stream?.close();
      await running;
    },
  };
}

const toMessage = (secret: string, { headers, body }: ReceivedWebhook): ReceivedMessage => {
  const id = String(headers['webhook-id']);
  try {
    const { data } = new Verifier(secret).verify(body, headers as Record<string, string>) as {
      data: ReceivedMessage['data'];
    };
    return { id, data };
  } catch {
    return { id, data: null };
  }
};

interface ClientOptions {
  readonly urls: readonly string[];
  readonly viewer: KeyedViewer;
  readonly history: RequestHistory;
}

/**
 * Connects subscribers, and creates a webhook for all events. Both receive all events from here on.
 */
export async function startEventClients(
  gatewayClient: GatewayClient,
  options: ClientOptions,
): Promise<EventClients> {
  const { history } = options;
  const receiver = await aWebhookReceiver();
  const known = new Set<unknown>();
  let secret = '';
  receiver.respondWith((response) => {
    const message = receiver.received.at(-1)!;
    const id = message.headers['webhook-id'];
    // Now: the verifier rejects messages that are older than five minutes.
    history.messages.push(toMessage(secret, message));
    const fails = !known.has(id) && known.size % FAILS_EACH === FAILS_EACH - 1;
    known.add(id);
    response.writeHead(fails ? 500 : 204).end();
  });
  const webhook = await gatewayClient.send(0, {
    method: 'POST',
    path: '/v1/webhooks',
    body: {
      url: receiver.url,
      types: Object.keys(EVENT_TYPES).filter((type) => type !== 'webhook.test'),
    },
  });
  const { body } = await gatewayClient.send(0, { method: 'GET', path: '/v1/posts/changes' });
  ({ secret } = webhook.body as { secret: string });
  const start = (body as { next_cursor: string }).next_cursor;
  const subscribers = SUBSCRIBER_KINDS.map((kind) => createSubscriber(kind, { ...options, start }));
  return {
    async catchUp(lastEventId) {
      const deadline = performance.now() + CATCH_UP_MS;
      const isBehind = (): boolean =>
        subscribers.some(({ received }) => !received.some(({ id }) => id === lastEventId));
      while (isBehind() && performance.now() < deadline) await sleep(PAUSE_MS);
    },
    connections: () => subscribers.reduce((sum, { connections }) => sum + connections(), 0),
    async close() {
      await Promise.all(subscribers.map((subscriber) => subscriber.close()));
      await receiver.close();
    },
  };
}
