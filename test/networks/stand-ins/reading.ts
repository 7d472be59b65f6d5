import type { Credentials } from '../../../src/domain/networks/network-definition.js';
import type { Network } from '../../../src/domain/networks/networks.js';
import type { HttpClient } from '../../../src/networks/http-client/http-client.js';
import type { NetworkAdapter } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { reaching } from './official-hosts.js';
import { startStandIn, type Reply, type Route } from './stand-in.js';

export const ok = (json: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  json,
  ...(headers && { headers }),
});

/** What is read: the posts, and the credentials, whose value URL is that of the stand-in. */
interface Reading {
  readonly ids: readonly string[];
  readonly credentials: Credentials;
  /** Whose the requests are, where networks share a host. */
  readonly network?: Network;
}

/** Reads the numbers of posts on a server with these routes; also returns its requests. */
export async function readNumbers(
  routes: readonly Route[],
  adapterOf: (http: HttpClient) => NetworkAdapter,
  { http, ids, credentials, network }: Reading & { readonly http: HttpClient },
) {
  const standIn = await startStandIn(routes, (_status, error) => ({ error }), network);
  const account = aPost().account!;
  const posts = ids.map((remoteId) => ({ remoteId, postId: '', ageMs: 0 }));
  const at = Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [
      name,
      value === 'URL' ? standIn.url : value,
    ]),
  );
  const { maxPosts, read } = adapterOf(reaching(http, standIn.url)).numbers!;
  expect(ids.length).toBeLessThanOrEqual(maxPosts);
  const result = await read(account, at, posts);
  await standIn.close();
  const { requests, violations } = standIn;
  return {
    result: result.kind === 'read' ? Object.fromEntries(result.numbers) : result.code,
    requests,
    violations,
  };
}
