import { createFacebook } from '../../src/networks/facebook/facebook.js';
import { createInstagram } from '../../src/networks/instagram/instagram.js';
import { createLinkedin } from '../../src/networks/linkedin/linkedin.js';
import { createPinterest } from '../../src/networks/pinterest/pinterest.js';
import { createThreads } from '../../src/networks/threads/threads.js';
import { createTwitter } from '../../src/networks/twitter/twitter.js';
import type { HttpClient } from '../../src/networks/http-client/http-client.js';
import { createTestHttpClient } from './stand-ins/edit-requests.js';
import { ok, readNumbers } from './stand-ins/reading.js';
import { exactly, text, type Schema } from './stand-ins/request-schema.js';
import type { Reply, Route } from './stand-ins/stand-in.js';

const http = createTestHttpClient();
const token = { authorization: text };
const accessToken = 'a-secret-token';
const get = (host: string, path: RegExp, query: Schema, respond: Route['respond']): Route => ({
  method: 'GET',
  host,
  path,
  headers: token,
  query,
  respond,
});
const graphError = (code: number, subcode?: number): Reply => ({
  status: 400,
  json: {
    error: {
      message: 'No.',
      type: 'OAuthException',
      code,
      ...(subcode && { error_subcode: subcode }),
    },
  },
});
const GONE = graphError(100, 33);
const insights = (values: Readonly<Record<string, number>>): Reply =>
  ok({ data: Object.entries(values).map(([name, value]) => ({ name, values: [{ value }] })) });

describe('X', () => {
  const query = {
    ids: exactly('11,12,13'),
    'tweet.fields': exactly('attachments,public_metrics'),
    expansions: exactly('attachments.poll_ids'),
  };
  const read = (respond: Route['respond']) =>
    readNumbers([get('api.x.com', /^\/2\/tweets$/, query, respond)], createTwitter, {
      http,
      ids: ['11', '12', '13'],
      credentials: { accessToken },
    });
  const metrics = { like_count: 9, reply_count: 2, quote_count: 1, bookmark_count: 4 };

  it('has many posts in one call, with the votes of polls, by either name of a repost', async () => {
    const posts = [
      {
        id: '11',
        public_metrics: { ...metrics, retweet_count: 3, impression_count: 900 },
        attachments: { poll_ids: ['77'] },
      },
      { id: '12', public_metrics: { ...metrics, repost_count: 5 } },
    ];
    const options = [
      { position: 1, label: 'Tea', votes: 6 },
      { position: 2, label: 'Coffee', votes: 0 },
    ];
    const errors = [{ resource_id: '13', type: 'https://api.x.com/2/problems/resource-not-found' }];
    const numbers = { likes: 9, comments: 2, saves: 4 };
    expect(
      await read(() => ok({ data: posts, includes: { polls: [{ id: '77', options }] }, errors })),
    ).toEqual({
      result: {
        11: { ...numbers, shares: 4, pollVotes: [6, 0] },
        12: { ...numbers, shares: 6, pollVotes: null },
      },
      requests: ['GET /2/tweets'],
      violations: [],
    });
    expect((await read(() => ok({ errors }))).result).toEqual({});
  });

  it.each([
    [{ status: 402, json: { title: 'Payment required' } }, 'NETWORK_FORBIDDEN'],
    [{ status: 401, json: { title: 'Unauthorized' } }, 'NETWORK_REAUTHORIZATION_NEEDED'],
    [ok({}), 'NETWORK_UNAVAILABLE'],
  ] as const)('%j is a failure', async (reply, code) => {
    expect((await read(() => reply)).result).toBe(code);
  });
});

describe('LinkedIn', () => {
  const share = (n: number) => `urn:li:share:${n}`;
  const video = 'urn:li:ugcPost:3';
  const linkedin = (client: HttpClient) => createLinkedin(client, { version: '202609' });
  const statistics = (more: object) => ({
    organizationalEntity: 'urn:li:organization:5',
    totalShareStatistics: {
      uniqueImpressionsCount: 300,
      impressionCount: 420,
      clickCount: 12,
      likeCount: -1,
      commentCount: 2,
      shareCount: 1,
      engagement: 0.04,
    },
    ...more,
  });
  const route = get(
    'api.linkedin.com',
    /^\/rest\/organizationalEntityShareStatistics$/,
    {
      q: exactly('organizationalEntity'),
      organizationalEntity: exactly('urn:li:organization:5'),
      'shares?': exactly(`List(${share(1)},${share(2)})`),
      'ugcPosts?': exactly(`List(${video})`),
    },
    ({ query }) =>
      ok({
        paging: { start: 0, count: 10, links: [] },
        elements: [statistics(query['shares'] ? { share: share(1) } : { ugcPost: video })],
      }),
  );
  const headers = { ...token, 'linkedin-version': text, 'x-restli-protocol-version': text };
  const read = (organization: string) =>
    readNumbers([{ ...route, headers }], linkedin, {
      http,
      ids: [share(1), video, share(2)],
      credentials: { accessToken, organization },
    });

  it('has statistics of the posts of a page; of those that it leaves out, nothing is known', async () => {
    const numbers = { reach: 300, likes: 0, comments: 2, shares: 1, postClicks: 12 };
    expect(await read('5')).toEqual({
      result: { [share(1)]: numbers, [video]: numbers, [share(2)]: null },
      requests: Array(2).fill('GET /rest/organizationalEntityShareStatistics'),
      violations: [],
    });
  });

  it('is not asked for those of a member', async () => {
    expect(await read('')).toEqual({ result: 'NETWORK_FORBIDDEN', requests: [], violations: [] });
  });
});

test('Pinterest: lifetime metrics of one pin after the other', async () => {
  const lifetime = {
    pin_click: 7,
    impression: 200,
    clickthrough: 3,
    reaction: 10,
    comment: 2,
    save: 5,
  };
  const respond: Route['respond'] = (_request, [, id]) =>
    id === '2'
      ? { status: 404, json: { code: 50, message: 'Pin not found.' } }
      : ok({ id, pin_metrics: id === '1' ? { '90d': {}, lifetime_metrics: lifetime } : null });
  expect(
    await readNumbers(
      [get('api.pinterest.com', /^\/v5\/pins\/(\d)$/, { pin_metrics: exactly('true') }, respond)],
      createPinterest,
      { http, ids: ['1', '2', '3'], credentials: { accessToken } },
    ),
  ).toEqual({
    result: {
      1: { likes: 10, comments: 2, saves: 5, linkClicks: 3, postClicks: 7 },
      3: { likes: null, comments: null, saves: null, linkClicks: null, postClicks: null },
    },
    requests: ['1', '2', '3'].map((id) => `GET /v5/pins/${id}`),
    violations: [],
  });
});

test('Threads: insights of one post after the other', async () => {
  const route = get(
    'graph.threads.com',
    /^\/v1\.0\/(\d)\/insights$/,
    { metric: exactly('likes,replies,reposts,quotes,shares') },
    (_request, [, id]) =>
      id === '2' ? GONE : insights({ likes: 4, replies: 1, reposts: 2, quotes: 1, shares: 3 }),
  );
  const reading = { http, ids: ['1', '2'], credentials: { accessToken } };
  expect(await readNumbers([route], createThreads, reading)).toEqual({
    result: { 1: { likes: 4, comments: 1, shares: 6 } },
    requests: ['GET /v1.0/1/insights', 'GET /v1.0/2/insights'],
    violations: [],
  });
  // Without the permission, the other posts are not asked for.
  const denied = { ...route, respond: () => graphError(10) };
  expect(await readNumbers([denied], createThreads, reading)).toMatchObject({
    result: 'NETWORK_FORBIDDEN',
    requests: ['GET /v1.0/1/insights'],
  });
});

test.each(['instagram', 'facebook'])(
  'Instagram, connected through %s: counts of every post, insights of those that have them',
  async (login) => {
    const host = `graph.${login}.com`;
    const kinds: Readonly<Record<string, string>> = {
      1: 'REELS',
      2: 'FEED',
      3: 'STORY',
      5: 'FEED',
    };
    const metrics = { reach: 70, shares: 2, views: 90 };
    const routes = [
      get(
        host,
        /^\/v25\.0\/(\d)$/,
        { fields: exactly('id,media_type,media_product_type,like_count,comments_count') },
        (_request, [, id]) =>
          id === '4'
            ? GONE
            : ok({
                id,
                media_type: id === '1' ? 'VIDEO' : 'IMAGE',
                media_product_type: kinds[id!],
                like_count: 6,
                comments_count: 1,
              }),
      ),
      get(host, /^\/v25\.0\/(\d)\/insights$/, { metric: text }, ({ query }, [, id]) => {
        // Too few people have seen it.
        if (id === '5') return graphError(10);
        const hasSaves = query['metric']!.split(',').includes('saved');
        if (hasSaves === (kinds[id!] === 'STORY')) return graphError(100);
        return insights({ ...metrics, ...(hasSaves && { saved: 3 }) });
      }),
    ];
    const counts = { likes: 6, comments: 1, reach: 70, shares: 2, saves: 3, videoViews: null };
    const { result, violations } = await readNumbers(
      routes,
      (client) => createInstagram(client, { version: 'v25.0' }),
      {
        http,
        ids: ['1', '2', '3', '4', '5'],
        credentials: { accessToken, login },
        network: 'instagram',
      },
    );
    expect({ result, violations }).toEqual({
      result: {
        1: { ...counts, videoViews: 90 },
        2: counts,
        3: { ...counts, saves: null },
        5: { ...counts, reach: null, shares: null, saves: null },
      },
      violations: [],
    });
  },
);

test('Facebook: counts of every post, clicks of pages that have insights', async () => {
  const host = 'graph.facebook.com';
  const fields =
    'id,shares,reactions.limit(0).summary(total_count),comments.limit(0).summary(total_count)';
  const routes = [
    get(host, /^\/v25\.0\/9_(\d)$/, { fields: exactly(fields) }, (_request, [, id]) =>
      id === '2'
        ? GONE
        : ok({
            id: `9_${id}`,
            reactions: { data: [], summary: { total_count: 8 } },
            comments: { data: [], summary: { total_count: 3 } },
            ...(id === '1' && { shares: { count: 2 } }),
          }),
    ),
    get(
      host,
      /^\/v25\.0\/9_(\d)\/insights$/,
      { metric: exactly('post_clicks') },
      (_request, [, id]) => (id === '3' ? graphError(200) : insights({ post_clicks: 14 })),
    ),
  ];
  const { result, violations } = await readNumbers(
    routes,
    (client) => createFacebook(client, { version: 'v25.0' }),
    { http, ids: ['9_1', '9_2', '9_3'], credentials: { accessToken } },
  );
  expect({ result, violations }).toEqual({
    result: {
      '9_1': { likes: 8, comments: 3, shares: 2, postClicks: 14 },
      '9_3': { likes: 8, comments: 3, shares: 0, postClicks: null },
    },
    violations: [],
  });
});
