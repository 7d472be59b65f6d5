import { request, type ClientRequest } from 'node:http';
import type { KeyedViewer } from '../../test/fixtures/records.js';

const SUBSCRIPTION = `subscription {
  events { version type cursor post { id text state account { name } } }
}`;
const VERSION = /"events":\{"version":(\d+)/;

/** Open streams of a workspace in which one post is changed. */
export interface Subscribers {
  /** How many events each stream has received. */
  readonly counts: readonly number[];
  /**
   * Streams that have ended, and those that received a version of the post that does not follow the
   * one before: an event was lost, repeated or in another order.
   */
  readonly faults: readonly string[];
  close(): void;
}

interface SubscriberOptions {
  /** Streams of each viewer. */
  readonly each: number;
  /** Called each time that a stream receives an event. `at`: `performance.now()`. */
  readonly onEvent?: (at: number) => void;
}

/** Opens streams for each viewer, one after another, and waits until all of them have started. */
export async function openSubscribers(
  url: string,
  viewers: readonly KeyedViewer[],
  { each, onEvent }: SubscriberOptions,
): Promise<Subscribers> {
  const faults: string[] = [];
  const counts: number[] = [];
  const versions: number[] = [];
  const requests: ClientRequest[] = [];
  let isClosing = false;

  function onMessage(stream: number, message: string): void {
    const version = VERSION.exec(message)?.[1];
    if (version === undefined) return;
    const last = versions[stream];
    if (last !== undefined && Number(version) !== last + 1)
      faults.push(`stream ${stream} received version ${version} after ${last}`);
    versions[stream] = Number(version);
    counts[stream]! += 1;
    onEvent?.(performance.now());
  }

  const open = ({ apiKey, workspace }: KeyedViewer): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/graphql`, {
        method: 'POST',
        agent: false,
        headers: {
          Authorization: `Bearer-API ${apiKey}`,
          'Service-Workspace-Id': workspace.id,
          Accept: 'text/event-stream',
          'Content-Type': 'application/json',
        },
      });
      const stream = requests.push(sent) - 1;
      counts[stream] = 0;
      let rest = '';
      sent.on('error', reject).on('response', (response) => {
        if (response.statusCode !== 200)
          reject(new Error(`A stream was refused with status ${response.statusCode}.`));
        response.setEncoding('utf8').on('data', (text: string) => {
          resolve();
          const messages = (rest + text).split('\n\n');
          rest = messages.pop()!;
          for (const message of messages) onMessage(stream, message);
        });
        response.on('error', () => undefined); // it is closed
        response.on('close', () => {
          if (!isClosing) faults.push(`stream ${stream} has ended: ${rest}`);
        });
      });
      sent.end(JSON.stringify({ query: SUBSCRIPTION }));
    });

  for (const viewer of viewers) await Promise.all(Array.from({ length: each }, () => open(viewer)));
  return {
    counts,
    faults,
    close() {
      isClosing = true;
      requests.forEach((sent) => sent.destroy());
    },
  };
}
