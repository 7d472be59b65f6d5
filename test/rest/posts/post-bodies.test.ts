import type { Post } from '../../../src/domain/posts/post.js';
import { STORED_STATES, type StoredState } from '../../../src/domain/posts/states.js';
import { timestamp } from '../../../src/domain/timestamp.js';
import { EXAMPLE_POST } from '../../../src/rest/openapi/openapi-examples.js';
import {
  detailSelection,
  presentDetail,
  presentList,
  SUMMARY_SELECTION,
} from '../../../src/rest/posts/post-bodies.js';
import { schemaViolations } from '../../fixtures/openapi-responses.js';

const aPost = (changes: Partial<Post> = {}): Post => ({ ...EXAMPLE_POST, ...changes });
/** The detail of a changed example post. */
const detail = (changes: Partial<Post> = {}, analytics = false) =>
  presentDetail(aPost(changes), { analytics });
/** The summary of a changed example post. */
const summary = (changes: Partial<Post> = {}) =>
  (
    presentList(0, {
      posts: [aPost(changes)],
      totalCount: 1,
      hasNextPage: false,
      hasPreviousPage: false,
    }).posts as Record<string, unknown>[]
  )[0]!;

/** A post in which every optional field is unset. */
const EMPTY: Partial<Post> = {
  type: 'status',
  storedState: 'draft_undated',
  accountId: null,
  account: null,
  network: null,
  scheduledAt: null,
  text: '',
  url: null,
  link: null,
  media: [],
  labels: [],
  user: { id: 'usr_1', name: 'A', picture: null },
};
const ANALYTICS = {
  reach: 10,
  engagement: 2,
  engagementRate: 0.2,
  likes: 1,
  comments: 1,
  shares: null,
  saves: 0,
  videoViews: null,
  linkClicks: null,
  postClicks: null,
  clickThroughRate: null,
  reachRate: null,
  pollVotes: null,
  updatedAt: new Date('2026-11-20T00:00:00.999Z'),
};

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

describe('Post detail', () => {
  it('has exactly the fields of the interface document', () => {
    expect(detail()).toEqual({
      id: '6740a1f2c3d4e5f607182930',
      text: 'Our autumn release is out. #release',
      state: 'scheduled',
      type: 'link',
      account_id: 'acc_9sVb3kLw7QpD2hXe',
      account: { id: 'acc_9sVb3kLw7QpD2hXe', type: 'profile', name: '@example', picture: null },
      user: {
        id: 'usr_1aBc2dEf3gHi4jKl',
        name: 'Ada Winter',
        picture: 'https://example.com/ada.png',
      },
      scheduled_at: '2026-12-01T09:30:00+00:00',
      created_at: '2026-11-20T14:05:12+00:00',
      updated_at: '2026-11-21T08:00:41+00:00',
      post_link: null,
      media: [
        {
          id: 'med_7uJm4nBv6YcX5zAs',
          type: 'photo',
          url: 'https://example.com/leaf.jpg',
          alt_text: 'A red leaf',
        },
      ],
      link: {
        url: 'https://example.com/autumn',
        title: 'Autumn release',
        description: 'What is new.',
        image_url: 'https://example.com/autumn.png',
      },
      labels: [{ id: 'lbl_2wEr5tYu8iOp1qAz', name: 'Release', color: '#2f9e44' }],
      auto: false,
      recycling: null,
      recurring: null,
    });
  });

  it('presents unset fields as null or empty (D46)', () => {
    expect(detail(EMPTY)).toMatchObject({
      account: null,
      account_id: null,
      link: null,
      media: [],
      labels: [],
      recycling: null,
      recurring: null,
      scheduled_at: null,
    });
    expect(Object.keys(detail(EMPTY))).toEqual(Object.keys(detail()));
  });

  it('presents recycling and recurring with the keys of the interface document', () => {
    const recycling = {
      solo: true,
      gap: 2,
      gapFreq: 'weeks',
      label: 'x',
      startDate: '2026-12-01',
      expireDate: '2027-01-01',
      expireCount: 5,
    } as const;
    const recurring = {
      repeat: 'weekly',
      repeatRate: 2,
      daysOfWeek: [0, 6],
      startDate: '2026-12-01T09:00:00.000Z',
      endDate: null,
    } as const;
    expect(detail({ recycling, recurring: { ...recurring, daysOfWeek: [0, 6] } })).toMatchObject({
      recycling: {
        solo: true,
        gap: 2,
        gap_freq: 'weeks',
        start_date: '2026-12-01',
        expire_count: 5,
      },
      recurring: {
        frequency: 'weekly',
        repeat_every: 2,
        weekdays: ['monday', 'sunday'],
        start_date: '2026-12-01T09:00:00+00:00',
      },
    });
    expect(Object.keys(detail({ recycling }).recycling as object)).toEqual([
      'solo',
      'gap',
      'gap_freq',
      'start_date',
      'expire_count',
    ]);
  });

  it('uses the first image of a link without a default image', () => {
    expect(
      detail({ url: 'https://example.com', link: { images: ['https://example.com/1.png'] } }).link,
    ).toEqual({
      url: 'https://example.com',
      title: null,
      description: null,
      image_url: 'https://example.com/1.png',
    });
  });

  it('presents no link for the slug of a blog post (D22)', () =>
    expect(
      detail({ network: 'wordpress', type: 'article', url: 'my-slug', link: null }).link,
    ).toBeNull());

  it.each([
    ['service', true, false],
    ['imported', true, true],
    ['synced', true, true],
    ['imported', false, false],
  ] as const)(
    'of an %s post with analytics=%s contains analytics: %s (D7)',
    (origin, analytics, isPresent) =>
      expect('analytics' in detail({ origin, analytics: ANALYTICS }, analytics)).toBe(isPresent),
  );

  it('has analytics in snake_case', () => {
    expect(detail({ origin: 'imported', analytics: ANALYTICS }, true).analytics).toEqual({
      reach: 10,
      engagement: 2,
      engagement_rate: 0.2,
      likes: 1,
      comments: 1,
      shares: null,
      saves: 0,
      video_views: null,
      link_clicks: null,
      post_clicks: null,
      click_through_rate: null,
      reach_rate: null,
      updated_at: '2026-11-20T00:00:00+00:00',
    });
    expect(detail({ origin: 'imported', analytics: null }, true).analytics).toBeNull();
  });
});
