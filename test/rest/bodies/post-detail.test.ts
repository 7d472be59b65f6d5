import { ANALYTICS, detail, EMPTY } from './post-body-examples.js';

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
