import type { Post } from '../../../src/domain/posts/post.js';
import { EXAMPLE_POST } from '../../../src/rest/openapi/openapi-examples.js';
import { withGateway } from '../../fixtures/gateway.js';
import type { KeyedViewer, Records } from '../../fixtures/records.js';
import { createV1Client, expectError, type V1Client } from '../v1-client.js';

let records: Records;
let get: V1Client['get'];
const gateway = withGateway();

beforeAll(async () => {
  ({ records } = gateway);
  ({ get } = createV1Client(gateway));
});

describe('List posts', () => {
  let viewer: KeyedViewer;
  let saved: Post[];
  beforeAll(async () => {
    viewer = await records.aViewer();
    const { type, text, title, url, link, scheduledAt } = EXAMPLE_POST;
    saved = [await records.aPost({ by: viewer, type, text, title, url, link, scheduledAt })];
    for (let day = 1; day <= 11; day++)
      saved.push(
        await records.aPost({
          by: viewer,
          account: null,
          storedState: 'draft_dated',
          scheduledAt: new Date(Date.UTC(2026, 5, day, 12)),
          text: `draft ${day}`,
        }),
      );
    saved.push(await records.aPost({ by: viewer, storedState: 'draft_undated', text: 'undated' }));
  });
  const list = (query = '') => get(`/posts${query}`, viewer);

  it('returns ten posts per page, newest scheduled_at first, undated last (D14)', async () => {
    const [first, second, third] = [await list(), await list('?page=1'), await list('?page=2')];
    expect(first.body).toMatchObject({ total: 13, page: 0, per_page: 10, total_pages: 2 });
    const texts = [...first.body.posts, ...second.body.posts].map(
      (post: { text: string }) => post.text,
    );
    expect(texts).toEqual([
      EXAMPLE_POST.text,
      ...Array.from({ length: 11 }, (_, index) => `draft ${11 - index}`),
      'undated',
    ]);
    expect(third.body).toEqual({ posts: [], total: 13, page: 2, per_page: 10, total_pages: 2 });
  });

  it('returns 200 far past the last page', async () =>
    expect((await list('?page=2147483647')).body).toEqual({
      posts: [],
      total: 13,
      page: 2147483647,
      per_page: 10,
      total_pages: 2,
    }));

  it('presents a post as the interface document defines it', async () => {
    const { body } = await list('?postType=link');
    expect(body.posts).toEqual([
      {
        id: saved[0]!.id,
        text: EXAMPLE_POST.text,
        url: 'https://example.com/autumn',
        state: 'scheduled',
        type: 'link',
        account_id: saved[0]!.accountId,
        user: { id: viewer.user.id, name: viewer.user.name, picture: null },
        scheduled_at: '2026-12-01T09:30:00+00:00',
        post_link: null,
        has_media: false,
        network: 'mastodon',
      },
    ]);
  });

  it.each([
    ['?state=draft', 12],
    ['?state[]=draft_undated&state[]=scheduled', 2],
    ['?state=all', 13],
    ['?state[]=', 13],
    ['?from=2026-06-01&to=2026-06-03', 3],
    ['?from=2026-06-01T12:00:00Z&to=2026-06-02T11:59:59Z', 1],
    ['?from=2026-06-01T14:00:00+02:00&to=2026-06-01', 1],
    ['?query=autumn%20-draft', 1],
    ['?query=%22%22', 0],
    ['?member_id=nobody', 0],
    ['?account_ids[]=acc_nope', 0],
    ['?account_ids=%00', 0],
    ['?member_id=%00', 0],
    ['?member_id=&postType=&page=&from=&to=&query=&account_ids[]=', 13],
    ['?postType=LINK', 1],
    ['?foo=1', 13],
    ['?postType=poll', 0],
  ])('%s matches %i posts', async (query, total) =>
    expect((await list(query)).body.total).toBe(total),
  );

  it('filters by account and member', async () => {
    expect((await list(`?account_ids[0]=${saved[0]!.accountId}&account_ids[1]=x`)).body.total).toBe(
      1,
    );
    expect((await list(`?member_id=${viewer.user.id}`)).body.total).toBe(13);
  });

  it('reports every problem in one response', async () => {
    const response = await list('?state=x&from=2026-02-30&page=-1&postType=y');
    expectError(response, 400, 'BAD_USER_INPUT');
    expect(response.body.errors.map((message: string) => message.split(':')[0])).toEqual([
      'state',
      'from',
      'page',
      'postType',
      'to',
    ]);
  });

  it('has no ETag', async () => expect((await list()).headers.get('etag')).toBeNull());
});
