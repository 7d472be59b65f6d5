import type { Account } from '../../src/domain/posts/post.js';
import { startGateways, type GatewayProcess } from '../fixtures/gateway-processes.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import { waitFor } from '../fixtures/wait-for.js';
import type { KeyedViewer } from '../fixtures/records.js';
import { buildIfChanged } from '../setup/started-program.js';

/** A call that was running when its process ended can be made again after 30 seconds (D27). */
const ABANDONED_MS = 60_000;
const TIMEOUT_MS = 180_000;

beforeAll(buildIfChanged, TIMEOUT_MS);
// The first three are killed.
const started = forAllTests(() => startGateways({}, 4), 'close');

/**
 * What a tool answers. A call to which the gateway says that the database did not respond is made
 * again, as clients do: an error of this kind tells them to.
 */
async function call(
  gateway: Pick<GatewayProcess, 'url'>,
  viewer: KeyedViewer,
  name: string,
  args: object,
): Promise<any> {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${viewer.apiKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });
  const text = await response.text();
  if (response.status === 503) return call(gateway, viewer, name, args);
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
  if (!result) throw new Error(text);
  return result.structuredContent;
}

/** When a gateway is killed: after its calls were sent, one was saved, or one was answered. */
const MOMENTS = ['sent', 'saved', 'answered'] as const;
const MODES = ['draft', 'schedule', 'share_now'] as const;

it.each(MODES.map((mode, n) => [mode, MOMENTS[n]!, n] as const))(
  'calls in mode %s make one post, although the gateway is killed when one is %s',
  async (mode, moment, n) => {
    const { records, processes } = started;
    const [killed, survivor] = [processes[n]!, processes[3]!];
    const viewer = await records.aViewer({});
    const account: Account = await records.anAccount({
      workspaceId: viewer.workspace.id,
      sandbox: true,
    });
    const args = {
      accounts: [{ account_id: account.id }],
      text: `Saved once in mode ${mode}`,
      mode,
      ...(mode === 'schedule' && { at: new Date(Date.now() + 86_400_000).toISOString() }),
    };
    const token =
      mode === 'share_now'
        ? { confirm_token: (await call(survivor, viewer, 'create_posts', args)).confirm_token }
        : {};
    const send = (gateway: GatewayProcess): Promise<any> =>
      call(gateway, viewer, 'create_posts', { ...args, ...token });
    const idsOf = async (): Promise<string[]> => {
      const found = await call(survivor, viewer, 'search_posts', { account_ids: [account.id] });
      return found.posts.map((post: { id: string }) => post.id);
    };

    const sent = Array.from({ length: 5 }, () => send(killed));
    const ended = Promise.allSettled(sent);
    if (moment === 'saved') await waitFor(async () => (await idsOf()).length > 0);
    if (moment === 'answered') await Promise.any(sent);
    killed.child.kill('SIGKILL');
    await killed.exit;
    await ended;

    let answer = await send(survivor);
    await waitFor(async () => {
      if (!answer.error?.retryable) return true;
      answer = await send(survivor);
      return !answer.error?.retryable;
    }, ABANDONED_MS);
    const [id] = answer.results.map((result: { id: string }) => result.id);
    expect(await idsOf()).toEqual([id]);
    if (moment !== 'sent') expect(answer.replayed).toBe(true);
    expect(await send(survivor)).toMatchObject({ replayed: true, results: [{ id }] });
  },
  TIMEOUT_MS,
);
