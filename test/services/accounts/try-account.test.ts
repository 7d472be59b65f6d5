import {
  tryAccount,
  trialText,
  type TrialStep,
} from '../../../src/services/accounts/try-account.js';
import type { NetworkAdapter, Publisher } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { facebookCase, type FacebookState } from '../../networks/stand-ins/facebook.js';
import {
  NOW,
  type NetworkCase,
  type NetworkStandIn,
} from '../../networks/stand-ins/network-case.js';
import { clock, http } from '../../networks/stand-ins/network-suite.js';
import { twitterCase } from '../../networks/stand-ins/twitter.js';

let standIn: NetworkStandIn;
afterEach(() => standIn.close());

async function tryOn(network: NetworkCase, { keeps = false } = {}) {
  const account = { ...aPost().account!, network: network.network };
  const steps: TrialStep[] = [];
  const ok = await tryAccount({
    adapter: network.adapter(http, standIn.url) as NetworkAdapter & { publisher: Publisher },
    target: {
      account,
      credentials: network.credentials(standIn.url),
      post: aPost({ network: network.network, account, text: trialText(NOW) }),
    },
    keeps,
    clock,
    pause: async () => undefined,
    report: (step) => steps.push(step),
  });
  return { ok, steps };
}

it('publishes a post, finds it, edits and removes it, and says what it saw', async () => {
  standIn = await facebookCase.start();
  // The stand-in takes edits of other posts only.
  const { steps } = await tryOn(facebookCase);
  expect(steps).toEqual([
    { step: 'prepare', ok: true, saw: 'It is ready, with the guarantee compared.' },
    {
      step: 'publish',
      ok: true,
      saw: 'It is live: 1_9001, https://www.facebook.com/kiosk/posts/1_9001.',
    },
    {
      step: 'look',
      ok: true,
      saw: 'It is live: 1_9001, https://www.facebook.com/kiosk/posts/1_9001.',
    },
    { step: 'edit', ok: false, saw: expect.stringContaining('Facebook') },
    { step: 'remove', ok: true, saw: 'It was removed.' },
    { step: 'look after removal', ok: true, saw: 'The network does not have it.' },
  ]);
  expect((standIn.state() as FacebookState).posts).toEqual([]);
});

it('leaves out what a network cannot do, and removes nothing that is to stay', async () => {
  standIn = await twitterCase.start();
  const { ok, steps } = await tryOn(twitterCase, { keeps: true });
  expect({ ok, steps: steps.map(({ step }) => step) }).toEqual({
    ok: true,
    steps: ['prepare', 'publish', 'look'],
  });
});

it('removes a post of which the network did not answer that it has it', async () => {
  standIn = await twitterCase.start();
  standIn.injectFault(0, 'lost-response');
  const impatient = {
    ...twitterCase,
    adapter: (_http: typeof http, url: string) =>
      twitterCase.adapter({ ...http, timeouts: { requestMs: 1_000, totalMs: 60_000 } }, url),
  };
  const { ok, steps } = await tryOn(impatient);
  expect(ok).toBe(false);
  expect(steps.map(({ step, ok: isOk }) => [step, isOk])).toEqual([
    ['prepare', true],
    ['publish', false],
    ['look', true],
    ['remove', true],
    ['look after removal', true],
  ]);
});

it('says why a network refuses', async () => {
  standIn = await twitterCase.start();
  standIn.injectFault(0, { status: 402, json: { detail: 'Your credits are used up.' } });
  const { ok, steps } = await tryOn(twitterCase);
  expect(ok).toBe(false);
  expect(steps[1]).toEqual({
    step: 'publish',
    ok: false,
    saw: 'X does not allow the account to do this (402): Your credits are used up.',
  });
});
