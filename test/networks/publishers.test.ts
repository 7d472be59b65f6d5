import type { Post } from '../../src/domain/posts/post.js';
import { NETWORKS } from '../../src/domain/networks/networks.js';
import { stepAfterPublishing } from '../../src/domain/publishing/publication-failures.js';
import { createHttpClient, type HttpClient } from '../../src/networks/http-client/http-client.js';
import type {
  PreparedPost,
  Publisher,
  SentPost,
} from '../../src/services/networks/network-ports.js';
import { aPost } from '../fixtures/posts.js';
import { networkErrors } from './stand-ins/network-errors.js';
import { NOW, type NetworkCase, type NetworkStandIn } from './stand-ins/network-case.js';
import { linkedinPageCase } from './stand-ins/linkedin.js';
import { clock, http, NETWORK_CASES } from './stand-ins/network-suite.js';

/** `linkedin`: of a member; the other case is a page. */
const PUBLISHING_CASES = [
  ...NETWORK_CASES.filter(({ publication }) => publication),
  linkedinPageCase,
];

it('covers the networks on which the service publishes', () => {
  expect([...new Set(PUBLISHING_CASES.map(({ network }) => network))].sort()).toEqual(
    Object.entries(NETWORKS)
      .filter(([, { publishing }]) => publishing.publishes)
      .map(([network]) => network)
      .sort(),
  );
});

describe.each(PUBLISHING_CASES.map((network) => [network.network, network] as const))(
  '%s',
  (_name, network) => {
    const { guarantee, cases, live, published } = network.publication!;
    const { unseen = 'cannot_tell', requestsBefore = 0, keepsPosts } = network.publication!;
    const first = cases[0]!;
    let standIn: NetworkStandIn;
    beforeEach(async () => {
      standIn = await network.start();
    });
    afterEach(() => standIn.close());

    const state = () => ({
      published: published(standIn.state()),
      violations: standIn.violations,
    });
    const publishing = (client?: HttpClient) => publishOn(network, standIn.url, client);
    const notThere = guarantee === 'cannot_tell' ? unseen : 'not_there';
    const found = guarantee === 'cannot_tell' ? { kind: unseen } : { kind: 'live', ...live };

    it.each(cases.map((publishedCase) => [publishedCase.name, publishedCase] as const))(
      'publishes %s',
      async (_caseName, { post, requests, published: expected }) => {
        const { prepare, publish } = publishing();
        const sent = await prepare(post(standIn.url));
        expect(state()).toEqual({ published: [], violations: [] });
        expect(await publish(sent)).toMatchObject({ kind: 'live' });
        expect({ ...state(), requests: standIn.requests }).toEqual({
          published: [expected],
          violations: [],
          requests,
        });
      },
    );

    it('returns the ID and the address of the post, by which it is also found and removed', async () => {
      const { prepare, publish, look, remove } = publishing();
      const sent = await prepare(first.post(standIn.url));
      expect(await look(sent)).toEqual({ kind: notThere });
      const result = await publish(sent);
      expect(result).toEqual({ kind: 'live', ...live });
      expect(await look(sent)).toEqual(found);
      const { remoteId } = result as { remoteId: string };
      if (keepsPosts) {
        expect(await remove(remoteId)).toMatchObject({ code: 'NETWORK_REFUSED' });
        return;
      }
      expect(await remove(remoteId)).toEqual({ kind: 'removed' });
      expect(await look(sent)).toMatchObject({ kind: notThere });
      expect(await remove(remoteId)).toEqual({ kind: 'removed' });
      expect(state()).toEqual({ published: [], violations: [] });
    });

    it('finds a post that was published before a backup was restored', async () => {
      const { prepare, publish, look } = publishing();
      const lost = await prepare(first.post(standIn.url));
      await publish(lost);
      const sentAt = new Date(NOW.getTime() - 600_000);
      const { handle } = await prepare(first.post(standIn.url));
      expect(await look({ ...lost, handle, sentAt })).toEqual(found);
    });

    it('stores no secret in the handle', async () => {
      const { handle } = await publishing().prepare(first.post(standIn.url));
      const stored = JSON.stringify(handle);
      expect(network.secrets.filter((secret) => stored.includes(secret))).toEqual([]);
    });

    it('may prepare a post again, which publishes nothing', async () => {
      const { prepare, publish } = publishing();
      for (const [index, { post }] of cases.entries()) {
        const content = { ...post(standIn.url), id: String(index).padStart(24, '0') };
        await prepare(content);
        await publish(await prepare(content));
      }
      expect(state()).toEqual({ published: expect.any(Array), violations: [] });
      expect(state().published).toHaveLength(cases.length);
    });

    const errorBody = (status: number): unknown =>
      network.errorBody(status, `No, not with ${network.secrets[0]}`);
    it.each(networkErrors(errorBody).map((error) => [error.name, error] as const))(
      'knows after %s whether the post may be there',
      async (_errorName, { fault }) => {
        const { prepare, publish } = publishing();
        const sent = await prepare(first.post(standIn.url));
        standIn.injectFault(requestsBefore, fault);
        const failure = await publish(sent);
        expect(failure).toMatchObject({ kind: 'failed', message: expect.any(String) });
        const { code, message, isUnsent } = failure as Extract<typeof failure, { kind: 'failed' }>;
        expect(network.secrets.filter((secret) => message.includes(secret))).toEqual([]);
        const step = stepAfterPublishing({ code, ...(isUnsent && { isUnsent }) });
        // A plain refusal by the network itself; anything else leaves a doubt.
        const isRefusal =
          typeof fault === 'object' &&
          fault.json !== undefined &&
          [400, 401, 403, 422, 429, ...(network.unknownPathCode ? [404] : [])].includes(
            fault.status,
          );
        expect({ code, isInDoubt: step === 'look' }).toEqual({ code, isInDoubt: !isRefusal });
      },
    );

    it('has not sent the post if the network cannot be reached', async () => {
      const sent = await publishing().prepare(first.post(standIn.url));
      await standIn.close();
      const withoutConnections = createHttpClient({ allowLoopback: true, clock });
      expect(await publishing(withoutConnections).publish(sent)).toMatchObject({
        kind: 'failed',
        code: 'NETWORK_UNAVAILABLE',
        isUnsent: true,
      });
    });

    it('leaves a doubt if the network does not respond in time', async () => {
      const timeouts = { requestMs: 1_000, totalMs: 60_000 };
      const impatient = createHttpClient({ allowLoopback: true, clock, timeouts });
      const { prepare, publish } = publishing(impatient);
      const sent = await prepare(first.post(standIn.url));
      standIn.injectFault(requestsBefore, 'no-response');
      const failure = await publish(sent);
      expect(failure).toMatchObject({ kind: 'failed', code: 'NETWORK_UNAVAILABLE' });
      expect(failure).not.toHaveProperty('isUnsent');
    });

    it('removes nothing with an invalid ID', async () => {
      expect(await publishing().remove('../me')).toMatchObject({ code: 'NETWORK_POST_UNKNOWN' });
      expect(standIn.requests).toEqual([]);
    });
  },
);

/** The calls of a network's publisher, with the credentials of its case. */
function publishOn(network: NetworkCase, url: string, client = http) {
  const publisher = network.adapter(client, url).publisher!;
  const account = { ...aPost().account!, network: network.network };
  const credentials = network.credentials(url);
  return {
    async prepare(post: Partial<Post>): Promise<SentPost> {
      const target = {
        account,
        credentials,
        post: aPost({ network: network.network, account, scheduledAt: NOW, ...post }),
      };
      let prepared = await publisher.prepare(target);
      while (prepared.kind === 'preparing')
        prepared = await publisher.prepare(target, prepared.handle);
      const { cases, guarantee: usual } = network.publication!;
      const guarantee = cases.find((one) => one.post(url).type === post.type)?.guarantee ?? usual;
      expect(prepared).toMatchObject({ kind: 'prepared', guarantee });
      return { ...target, handle: (prepared as PreparedPost).handle, sentAt: NOW };
    },
    /** Also asks for a post that the network processes first. */
    async publish(sent: SentPost) {
      const result = await publisher.publish(sent);
      if (result.kind !== 'processing') return result;
      return publisher.look({ ...sent, handle: result.handle ?? sent.handle });
    },
    look: (sent: SentPost): ReturnType<Publisher['look']> => publisher.look(sent),
    remove: (remoteId: string): ReturnType<Publisher['remove']> =>
      publisher.remove({ account, credentials, remoteId, postId: 'unknown' }),
  };
}
