import type { NetworkAdapter } from '../../src/services/networks/network-ports.js';
import type { Credentials } from '../../src/domain/networks/network-definition.js';
import { createBluesky } from '../../src/networks/bluesky/bluesky.js';
import { createMastodon } from '../../src/networks/mastodon/mastodon.js';
import { createWordpress } from '../../src/networks/wordpress/wordpress.js';
import { createTestHttpClient } from './stand-ins/edit-requests.js';
import { exactly, text } from './stand-ins/request-schema.js';
import { ok, readNumbers } from './stand-ins/reading.js';
import type { Reply, Route } from './stand-ins/stand-in.js';

const token = { authorization: text };
const http = createTestHttpClient();
const read = (
  routes: readonly Route[],
  adapter: NetworkAdapter,
  reading: { ids: readonly string[]; credentials: Credentials },
) => readNumbers(routes, () => adapter, { http, ...reading });

const mastodon = {
  ids: ['1', '2', '3'],
  credentials: { instance: 'URL', accessToken: 'a-secret-token' },
};
const status = (id: string, more: object = {}) => ({
  id,
  favourites_count: 7,
  replies_count: 2,
  reblogs_count: 3,
  poll: null,
  ...more,
});
const listed = (respond: Route['respond']): Route => ({
  method: 'GET',
  path: /^\/api\/v1\/statuses$/,
  headers: token,
  query: { 'id[]': exactly('3') }, // the last of the list
  respond,
});

test('Mastodon: many statuses in one call; those that it does not list are gone', async () => {
  const poll = { options: [{ votes_count: 4 }, { votes_count: 0 }] };
  const hidden = { options: [{ votes_count: null }, { votes_count: null }] };
  expect(
    await read(
      [listed(() => ok([status('1', { quotes_count: 1, poll }), status('2', { poll: hidden })]))],
      createMastodon(http),
      mastodon,
    ),
  ).toEqual({
    result: {
      1: { likes: 7, comments: 2, shares: 4, pollVotes: [4, 0] },
      2: { likes: 7, comments: 2, shares: 3, pollVotes: null },
    },
    requests: ['GET /api/v1/statuses'],
    violations: [],
  });
});

test('Mastodon: an instance without that call is asked for one status after the other', async () => {
  const notFound: Reply = { status: 404, json: { error: 'Record not found' } };
  const one: Route = {
    method: 'GET',
    path: /^\/api\/v1\/statuses\/(\d)$/,
    headers: token,
    respond: (_request, [, id]) => (id === '2' ? notFound : ok(status(id!))),
  };
  const html = {
    status: 404,
    text: '<h1>Not found</h1>',
    headers: { 'Content-Type': 'text/html' },
  };
  const numbers = { likes: 7, comments: 2, shares: 3, pollVotes: null };
  for (const missing of [notFound, html])
    expect(await read([listed(() => missing), one], createMastodon(http), mastodon)).toEqual({
      result: { 1: numbers, 3: numbers },
      requests: ['', '/1', '/2', '/3'].map((path) => `GET /api/v1/statuses${path}`),
      violations: [],
    });
});

test.each([
  [{ status: 401, json: { error: 'revoked' } }, 'NETWORK_REAUTHORIZATION_NEEDED'],
  [{ status: 429, json: { error: 'slow down' } }, 'NETWORK_RATE_LIMITED'],
  [{ status: 503, json: {} }, 'NETWORK_UNAVAILABLE'],
  [ok([{}]), 'NETWORK_UNAVAILABLE'],
] as const)('Mastodon: %j is a failure', async (reply, code) => {
  const { result } = await read([listed(() => reply)], createMastodon(http), mastodon);
  expect(result).toBe(code);
});

test('Bluesky: up to 25 posts in one call; those that it does not list are gone', async () => {
  const uri = (key: string): string => `at://did:plc:kiosk/app.bsky.feed.post/${key}`;
  const posts = [
    {
      uri: uri('3a'),
      likeCount: 5,
      replyCount: 1,
      repostCount: 2,
      quoteCount: 1,
      bookmarkCount: 4,
    },
    { uri: uri('3b'), likeCount: 0, replyCount: 0, repostCount: 0 },
  ];
  const session = {
    did: 'did:plc:kiosk',
    handle: 'k.example',
    accessJwt: 'a.b.c',
    refreshJwt: 'd.e.f',
  };
  const credentials = { service: 'URL', handle: 'k.example', appPassword: 'abcd-efgh' };
  const routes: Route[] = [
    {
      method: 'POST',
      path: /createSession$/,
      headers: {},
      json: { identifier: text, password: text },
      respond: () => ok(session),
    },
    {
      method: 'GET',
      path: /^\/xrpc\/app\.bsky\.feed\.getPosts$/,
      headers: token,
      query: { uris: exactly(uri('3c')) },
      respond: () => ok({ posts }),
    },
  ];
  const adapter = createBluesky(http);
  expect(adapter.numbers!.maxPosts).toBe(25);
  expect(await read(routes, adapter, { ids: ['3a', '3b', '3c'].map(uri), credentials })).toEqual({
    result: {
      [uri('3a')]: { likes: 5, comments: 1, shares: 3, saves: 4 },
      [uri('3b')]: { likes: 0, comments: 0, shares: 0, saves: null },
    },
    requests: ['POST /xrpc/com.atproto.server.createSession', 'GET /xrpc/app.bsky.feed.getPosts'],
    violations: [],
  });
});

test.each([3, 150])('WordPress: of %i comments, those of each post are counted', async (total) => {
  const comments = Array.from({ length: total }, (_, n) => ({ post: n % 3 === 0 ? 4 : 9 }));
  const of = (post: string) => comments.filter((comment) => String(comment.post) === post).length;
  const routes: Route[] = [
    {
      method: 'GET',
      path: /^\/wp-json\/wp\/v2\/posts$/,
      headers: token,
      query: { include: exactly('4,9,12,15'), _fields: exactly('id'), per_page: exactly('100') },
      respond: () => ok([{ id: 4 }, { id: 9 }, { id: 12 }]),
    },
    {
      method: 'GET',
      path: /^\/wp-json\/wp\/v2\/comments$/,
      headers: token,
      query: { post: text, _fields: text, per_page: text },
      respond: ({ query }) =>
        query.per_page === '1'
          ? ok([], { 'X-WP-Total': String(of(query.post!)) })
          : ok(query.post === '4,9,12' ? comments.slice(0, 100) : []),
    },
  ];
  const { result, requests, violations } = await read(
    routes,
    createWordpress(http, () => ''),
    {
      ids: ['4', '9', '12', '15'],
      credentials: { site: 'URL', username: 'k', applicationPassword: 'abcd efgh' },
    },
  );
  expect({ result, violations }).toEqual({
    result: { 4: { comments: of('4') }, 9: { comments: of('9') }, 12: { comments: 0 } },
    violations: [],
  });
  expect(requests).toHaveLength(total > 100 ? 5 : 2);
});
