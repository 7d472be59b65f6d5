import { enumKeys } from '../../src/domain/enums.js';
import { NETWORKS, type Network } from '../../src/domain/networks/networks.js';
import { createNetworks } from '../../src/networks/registry.js';
import { adapterCapabilities } from '../../src/services/networks/adapter-capabilities.js';
import type { Networks } from '../../src/services/networks/network-ports.js';
import { aPost } from '../fixtures/posts.js';
import { NOW } from './stand-ins/network-case.js';
import { http, NETWORK_CASES } from './stand-ins/network-suite.js';

const adapters: Networks = createNetworks(http, {
  linkedinVersion: '202609',
  facebookVersion: 'v25.0',
  appClient: () => null,
  blogHtml: () => '',
});
const capabilities = adapterCapabilities(adapters);

/**
 * Whether the adapter has a call. Without credentials, it fails before it sends a request, but not
 * because the network has no such call.
 */
const has = async (
  call: Promise<{ readonly kind: string; readonly code?: string }> | undefined,
): Promise<boolean> => (await call)?.code === 'NETWORK_NOT_CONNECTED';

/** What an adapter does, found out by calling it. */
async function abilitiesOf(network: Network) {
  const adapter = adapters[network];
  const account = { ...aPost().account!, network };
  const post = aPost({ network, account, scheduledAt: NOW });
  const remoteId = NETWORK_CASES.find((known) => known.network === network)?.remoteId ?? '1';
  const target = { account, credentials: {}, post };
  const sent = { ...target, handle: {}, sentAt: NOW };
  const { publisher } = adapter ?? {};
  const calls = [publisher?.prepare(target), publisher?.publish(sent), publisher?.look(sent)];
  const [publishes, ...others] = new Set(await Promise.all(calls.map(has)));
  expect(others).toEqual([]);
  return {
    edits: await has(adapter?.edit({ ...target, remoteId, changed: new Set() })),
    publishes,
    unpublishes: await has(publisher?.remove({ ...target, remoteId, postId: post.id })),
  };
}

it.each(enumKeys(NETWORKS))('says of %s what its adapter does', async (network) => {
  const { edits, publishes, unpublishes, guarantee, numbers } = capabilities[network];
  expect({ edits, publishes, unpublishes }).toEqual(await abilitiesOf(network));
  expect(guarantee !== null).toBe(publishes);
  expect(numbers.length > 0).toBe(adapters[network]?.numbers !== undefined);
});

it('has networks with and without each capability', () => {
  for (const capability of ['edits', 'unpublishes', 'verified'] as const) {
    const values = enumKeys(NETWORKS).map((network) => capabilities[network][capability]);
    expect([...new Set(values)].sort()).toEqual([false, true]);
  }
  expect(enumKeys(NETWORKS)).toHaveLength(13);
});
