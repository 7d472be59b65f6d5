import { createRandom, SEED } from '../faults/random.js';
import { forAllTests } from '../fixtures/lifecycle.js';
import { withPublishing } from '../fixtures/publishing.js';
import { facebookCase } from '../networks/stand-ins/facebook.js';
import { linkedinPageCase } from '../networks/stand-ins/linkedin.js';
import { standInClock, type NetworkCase } from '../networks/stand-ins/network-case.js';
import { NETWORK_CASES } from '../networks/stand-ins/network-suite.js';
import type { PublishedCase } from '../networks/stand-ins/publication-case.js';
import { suite } from '../setup/suite.js';
import {
  DUPLICATE,
  LIMITED,
  lawViolation,
  nameOf,
  openScenario,
  settleScenarios,
  type Fault,
  type RequestFault,
  type Scenario,
} from './network-faults.js';

/**
 * Posts on the stand-ins of networks, with each fault that a network or a process can have. In
 * `npm run test:publishing` the process is killed at each boundary of each post; otherwise at some.
 */
const KILLS = suite.number('rounds', { short: 2, quick: 6, full: 20 }[suite.length]);
jest.setTimeout(suite.length === 'short' ? 240_000 : 3_600_000);

const publishing = withPublishing();
const by = forAllTests(() => publishing.aViewer());
beforeAll(() => {
  standInClock.now = () => new Date();
});

/** These keep times of their own, or have suites of their own on real servers. */
const LEFT_OUT = ['bluesky', 'mastodon', 'wordpress', 'telegram'];
const NETWORKS = [
  ...NETWORK_CASES.filter(
    ({ network, publication }) => publication && !LEFT_OUT.includes(network),
  ).map((network) => [network.network, network] as const),
  ['linkedin page', linkedinPageCase] as const,
];

/** The first post of each guarantee, and the one with the most requests. In full: all. */
function contentsOf({ publication }: NetworkCase): readonly PublishedCase[] {
  const { cases } = publication!;
  if (suite.length === 'full') return cases;
  const most = cases.reduce((one, other) =>
    other.requests.length > one.requests.length ? other : one,
  );
  const exact = cases.find(({ guarantee }) => guarantee !== undefined);
  return [...new Set([most, ...(exact ? [exact] : [])])];
}

const once = (fault: RequestFault): Fault['on'] => {
  let isOver = false;
  return ({ isPublishing }) => {
    if (!isPublishing || isOver) return null;
    isOver = true;
    return fault;
  };
};

/** What a test may change of a stand-in, where it has that. */
interface ChangedState {
  lagging?: number;
  containers?: { status: string }[];
  videos?: unknown[];
  isExpired?: boolean;
}
const stateOf = ({ standIn }: Scenario): ChangedState => standIn.state() as ChangedState;

/** The faults of a network, besides kills. Made anew for each post: they happen once. */
function faultsOf({ network, errorBody }: NetworkCase): Fault[] {
  const limited = LIMITED[network];
  const duplicate = DUPLICATE[network];
  const unauthorized = { status: 401, json: errorBody(401, 'The token has ended') };
  let refusals = 0;
  const cutBefore = once('cut_before');
  const cutAfter = once('cut_after');
  return [
    { name: 'cut before the effect', on: once('cut_before') },
    { name: 'cut after the effect', on: once('cut_after') },
    { name: 'an error after the effect', on: once('error_after') },
    { name: 'an answer too late', on: once('hang') },
    ...(limited ? [{ name: 'too many calls', on: once(limited()) }] : []),
    ...(duplicate ? [{ name: 'a duplicate refused', on: once(duplicate) }] : []),
    {
      name: 'a list that lags',
      on(request, scenario) {
        const state = stateOf(scenario);
        // Two answers, minutes apart, decide: a list may lag for the first one (D54).
        if (request.phase === 'look' && 'lagging' in state)
          state.lagging = request.nth === 1 ? 1 : 0;
        return cutAfter!(request, scenario);
      },
    },
    {
      name: 'an upload that expires before it is published',
      on(request, scenario) {
        const state = stateOf(scenario);
        if (request.phase === 'look' && request.nth === 1) {
          for (const container of state.containers ?? []) container.status = 'EXPIRED';
          state.videos?.splice(0);
        }
        return cutBefore!(request, scenario);
      },
    },
    {
      name: 'a session that is lost',
      on({ phase, nth }, scenario) {
        const state = stateOf(scenario);
        if ('isExpired' in state) state.isExpired = phase === 'prepare' && nth <= 2;
        return null;
      },
    },
    {
      name: 'a token that ends when the post is sent',
      on: once(unauthorized),
    },
    {
      name: 'a token that ends when the post is looked for',
      on(request, scenario) {
        if (request.phase === 'look' && refusals < 2) {
          refusals += 1;
          return unauthorized;
        }
        return cutAfter!(request, scenario);
      },
    },
  ];
}
const FAULT_NAMES = (network: NetworkCase): string[] => faultsOf(network).map(({ name }) => name);

/** Scenarios at the same time. */
const TOGETHER = 16;

/** Publishes the posts with their faults. Returns the violations of laws, and the scenarios. */
async function publishAll(
  wanted: readonly Pick<Scenario, 'network' | 'content' | 'fault'>[],
): Promise<{ violations: string[]; scenarios: Scenario[] }> {
  const violations: string[] = [];
  const all: Scenario[] = [];
  for (let first = 0; first < wanted.length; first += TOGETHER) {
    const scenarios: Scenario[] = [];
    for (const one of wanted.slice(first, first + TOGETHER))
      scenarios.push(await openScenario(publishing, by, one));
    try {
      const ended = await settleScenarios(publishing, by, scenarios);
      for (const [scenario, publication] of ended) {
        const violation = lawViolation(scenario, publication);
        if (violation)
          violations.push(
            `${nameOf(scenario)}: ${violation}; ${publication.status} ${publication.error?.message ?? ''}`,
          );
      }
    } finally {
      await Promise.all(scenarios.map(({ standIn }) => standIn.close()));
    }
    all.push(...scenarios);
  }
  return { violations, scenarios: all };
}

describe.each(NETWORKS)('%s', (_name, network) => {
  it('publishes each post once, or says why not, whatever fails', async () => {
    const wanted = contentsOf(network).flatMap((content) =>
      FAULT_NAMES(network).map((_fault, index) => ({
        network,
        content,
        fault: faultsOf(network)[index]!,
      })),
    );
    const { violations, scenarios } = await publishAll(wanted);
    expect(violations).toEqual([]);
    expect(scenarios.length).toBeGreaterThan(0);
  });

  it('publishes each post once if the process is killed', async () => {
    const random = createRandom(network.network.length);
    const none: Fault = { name: 'nothing fails' };
    const contents = contentsOf(network);
    const { violations: without, scenarios } = await publishAll(
      contents.map((content) => ({ network, content, fault: none })),
    );
    expect(without).toEqual([]);
    const wanted = scenarios.flatMap((scenario) => {
      const all = Array.from({ length: scenario.boundaries() }, (_, index) => index + 1);
      while (all.length > KILLS) all.splice(Math.floor(random.fraction() * all.length), 1);
      return all.map((killAt) => ({
        network,
        content: scenario.content,
        fault: { name: `killed at boundary ${killAt} (seed ${SEED})`, killAt },
      }));
    });
    const { violations } = await publishAll(wanted);
    expect(violations).toEqual([]);
    suite.report(`${network.network}: ${wanted.length} kills`);
  });
});

it('kills a process also between the call that publishes and the record of its answer', async () => {
  const content = facebookCase.publication!.cases[0]!;
  const { scenarios } = await publishAll([
    { network: facebookCase, content, fault: { name: 'nothing fails' } },
  ]);
  const count = scenarios[0]!.boundaries();
  const all = Array.from({ length: count }, (_, index) => ({
    network: facebookCase,
    content,
    fault: { name: `killed at boundary ${index + 1}`, killAt: index + 1 },
  }));
  const { violations, scenarios: killed } = await publishAll(all);
  expect(violations).toEqual([]);
  // Killed after its call, a process does not lead to another one: the post is looked for.
  expect(new Set(killed.map((scenario) => scenario.calls()))).toEqual(new Set([1]));
});
