import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import type { Post } from '../../../src/domain/posts/post.js';
import { timestamp } from '../../../src/domain/timestamp.js';
import {
  detailSelection,
  presentDetail,
  presentList,
  SUMMARY_SELECTION,
} from '../../../src/rest/posts/post-bodies.js';
import { EXAMPLE_POST } from '../../../src/rest/openapi/openapi-examples.js';
import { schemaViolations } from '../../fixtures/openapi-responses.js';
import { ANALYTICS, detail, EMPTY, summary } from './post-body-examples.js';

describe('Post summary', () => {
  it('has exactly the fields of the interface document', () => {
    expect(summary()).toEqual({
      id: '6740a1f2c3d4e5f607182930',
      text: 'Our autumn release is out. #release',
      url: 'https://example.com/autumn',
      state: 'scheduled',
      type: 'link',
      account_id: 'acc_9sVb3kLw7QpD2hXe',
      user: {
        id: 'usr_1aBc2dEf3gHi4jKl',
        name: 'Ada Winter',
        picture: 'https://example.com/ada.png',
      },
      scheduled_at: '2026-12-01T09:30:00+00:00',
      post_link: null,
      has_media: true,
      network: 'mastodon',
    });
  });

  it('keeps the keys of unset fields (D46)', () => {
    expect(summary(EMPTY)).toMatchObject({
      url: null,
      account_id: null,
      scheduled_at: null,
      post_link: null,
      network: null,
      text: '',
    });
    expect(Object.keys(summary(EMPTY))).toEqual(Object.keys(summary()));
  });

  it('has a url for link posts only', () =>
    expect(summary({ type: 'article', url: 'my-slug' }).url).toBeNull());

  it.each(Object.keys(STORED_STATES) as StoredState[])('presents the state of %s', (storedState) =>
    expect(summary({ storedState }).state).toBe(STORED_STATES[storedState].state),
  );
});

describe('List result', () => {
  const pageOf = (totalCount: number) =>
    presentList(3, { posts: [], totalCount, hasNextPage: false, hasPreviousPage: true });
  it.each([
    [0, 0],
    [1, 1],
    [10, 1],
    [11, 2],
    [300, 30],
  ])('%i posts have %i pages', (total, pages) => {
    expect(pageOf(total)).toEqual({ posts: [], total, page: 3, per_page: 10, total_pages: pages });
  });
});

describe('the OpenAPI document', () => {
  it.each([{}, EMPTY, { origin: 'imported', analytics: ANALYTICS }] as Partial<Post>[])(
    'describes the bodies',
    (changes) => {
      expect(schemaViolations(summary(changes), 'PostSummary')).toEqual([]);
      expect(schemaViolations(detail(changes, true), 'PostDetail')).toEqual([]);
    },
  );
});

describe('selection', () => {
  /** A post on which access to any field that is not selected throws. */
  const selectedPost = (selected: ReadonlySet<keyof Post>, narrow: readonly (keyof Post)[]): Post =>
    new Proxy(EXAMPLE_POST, {
      get(post, key) {
        if (!selected.has(key as keyof Post) && !narrow.includes(key as keyof Post))
          throw new Error(`not selected: ${String(key)}`);
        return post[key as keyof Post];
      },
    });

  it('covers all fields that a body reads', async () => {
    const { ALWAYS_READ_FIELDS } = await import('../../../src/domain/posts/post-query.js');
    const post = selectedPost(SUMMARY_SELECTION, ALWAYS_READ_FIELDS);
    expect(() =>
      presentList(0, { posts: [post], hasNextPage: false, hasPreviousPage: false }),
    ).not.toThrow();
    for (const analytics of [true, false]) {
      expect(() =>
        presentDetail(selectedPost(detailSelection(analytics), ALWAYS_READ_FIELDS), { analytics }),
      ).not.toThrow();
    }
  });
});

it('formats times in UTC and whole seconds with +00:00 (D8)', () => {
  expect(timestamp(new Date('2026-11-21T23:59:59.999Z'))).toBe('2026-11-21T23:59:59+00:00');
});
