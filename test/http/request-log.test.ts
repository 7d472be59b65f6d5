import { createLog } from '../../src/log/log.js';
import { gatewayWith } from '../fixtures/gateway.js';
import { aPicture } from '../fixtures/media-files.js';

describe('the request log', () => {
  it('has the request id, the operation and the outcome, and no post content or keys', async () => {
    const lines: string[] = [];
    const gateway = await gatewayWith({ log: createLog('trace', (line) => void lines.push(line)) });
    const { v1, graphql, records, owner } = gateway;
    const [post, secret] = [
      await records.aPost({ by: owner, text: 'before' }),
      'Nobody may read this in a log',
    ];
    const withId = (id: string) => ({ headers: { 'X-Request-Id': id } });
    const update =
      'mutation($id: ID!, $text: String!) { updatePost(input: {id: $id, post: {text: $text}}) { post { text } } }';
    await graphql(update, { id: post.id, text: secret }, withId('changed'));
    await v1('PUT', `/posts/${post.id}`, {
      ...withId('refused'),
      body: { post: { text: 5, title: secret } },
    });
    await v1('GET', `/posts?query=${encodeURIComponent(secret)}`, withId('listed'));
    await gateway.db.pool.query(
      "ALTER TABLE post_body ADD CONSTRAINT no_more CHECK (text NOT LIKE 'Nobody%') NOT VALID",
    );
    await graphql(update, { id: post.id, text: `${secret}, either` }, withId('resolver-error'));
    await v1('PUT', `/posts/${post.id}`, {
      ...withId('request-error'),
      body: { post: { text: `${secret}, either` } },
    });
    await gateway.close();

    const entries = lines.map((line) => JSON.parse(line) as Record<string, any>);
    const ofRequest = (id: string) =>
      entries
        .filter(({ requestId }) => requestId === id)
        .map(({ level, msg, operation, status, errorCode, err }) => ({
          level,
          msg,
          operation,
          status,
          errorCode,
          constraint: err?.constraint as string | undefined,
        }));
    const completed = {
      level: 30,
      msg: 'request completed',
      status: 200,
      errorCode: undefined,
      constraint: undefined,
    };
    const [updated, put] = ['mutation updatePost', 'PUT /v1/posts/{id}'];
    expect(ofRequest('changed')).toEqual([{ ...completed, operation: updated }]);
    expect(ofRequest('refused')).toEqual([
      { ...completed, operation: put, status: 400, errorCode: 'BAD_USER_INPUT' },
    ]);
    expect(ofRequest('listed')).toEqual([{ ...completed, operation: 'GET /v1/posts' }]);
    const internalError = {
      level: 50,
      operation: undefined,
      status: undefined,
      errorCode: undefined,
      constraint: 'no_more',
    };
    expect(ofRequest('resolver-error')).toEqual([
      { ...internalError, msg: 'unhandled resolver error' },
      { ...completed, operation: updated, errorCode: 'INTERNAL_SERVER_ERROR' },
    ]);
    expect(ofRequest('request-error')).toEqual([
      { ...internalError, msg: 'unhandled request error' },
      { ...completed, operation: put, status: 500, errorCode: 'INTERNAL_SERVER_ERROR' },
    ]);
    expect(lines.join('')).not.toMatch(/Nobody may|spk_live_/);
  });

  it('has the operation instead of the address of a file or of an upload', async () => {
    const lines: string[] = [];
    const gateway = await gatewayWith({ log: createLog('trace', (line) => void lines.push(line)) });
    const content = await aPicture();
    const { data } = (
      await gateway.graphql(
        'mutation ($bytes: Int!) { createMediaUpload(input: { name: "a.png", bytes: $bytes }) { url } }',
        { bytes: content.length },
      )
    ).body;
    const unused = data.createMediaUpload.url as string;
    expect((await fetch(unused, { method: 'PUT', body: 'x' })).status).not.toBe(200);
    const stored = await fetch(unused, { method: 'PUT', body: content });
    const { path: file } = (await stored.json()) as { path: string };
    expect((await fetch(file)).status).toBe(200);
    await gateway.close();
    for (const url of [unused, file]) {
      const secret = new URL(url).pathname.split('/').at(-1)!;
      expect(secret.length).toBeGreaterThan(20);
      expect(lines.join('')).not.toContain(secret);
    }
    const transfers = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ operation }) => /media\/\{/.test(String(operation)));
    expect(transfers.map(({ path, status }) => [path, status])).toEqual([
      [undefined, expect.any(Number)],
      [undefined, 200],
      [undefined, 200],
    ]);
  });
});
