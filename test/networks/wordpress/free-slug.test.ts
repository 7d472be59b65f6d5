import { slugsOf, toSlug } from '../../../src/networks/wordpress/blog-publisher.js';
import { aPost } from '../../fixtures/posts.js';

it.each([
  ['First: Harvest!', 'first-harvest'],
  ['Röstung & Café: Größe, Øre', 'rostung-cafe-grosse-ore'],
  ['咖啡豆 2026', '咖啡豆-2026'],
  ['हिन्दी', 'हिन्दी'],
  ['feed', 'post-feed'],
  ['2026', 'post-2026'],
  ['🙂 …', 'post'],
  ['a'.repeat(500), 'a'.repeat(150)],
])('makes a slug of %j', (title, slug) => {
  expect(toSlug(title)).toBe(slug);
});

it('tries slugs of which the last one belongs to this post and time only', () => {
  const post = aPost({ title: 'Harvest' });
  const slugs = slugsOf(post);
  expect(slugs.slice(0, -1)).toEqual([
    'harvest',
    'harvest-2',
    'harvest-3',
    'harvest-4',
    'harvest-5',
  ]);
  expect(slugs.at(-1)).toMatch(/^harvest-[0-9a-f]{8}$/);
  expect(slugsOf({ ...post, url: 'own' })[0]).toBe('own');
  const later = slugsOf({ ...post, scheduledAt: new Date('2026-12-01T08:00:00Z') });
  expect([slugsOf({ ...post }), later.at(-1) === slugs.at(-1)]).toEqual([slugs, false]);
});
