import { postUrlProblem } from '../../../src/domain/networks/post-urls.js';
import type { Account } from '../../../src/domain/posts/post.js';
import { aPost } from '../../fixtures/posts.js';

const problemOf = (given: Partial<Account>, url: string): string | null =>
  postUrlProblem({ ...aPost().account!, ...given }, url);
const MASTODON = { network: 'mastodon', socialId: '77@social.example' } as const;
const BLOG = { network: 'wordpress', socialId: 'blog.example/de' } as const;

it.each<[Partial<Account>, string]>([
  [MASTODON, 'https://social.example/@ada/1'],
  [MASTODON, 'https://www.social.example/@ada/1'],
  [{ ...MASTODON, socialId: '77@social.example:8443' }, 'https://social.example:8443/@ada/1'],
  [{ ...MASTODON, socialId: '77' }, 'https://unknown.example/@ada/1'],
  [BLOG, 'https://blog.example/de/news'],
  [{ ...BLOG, socialId: 'https://Blog.example' }, 'https://blog.example/de/news'],
  [{ network: 'google' }, 'https://local.google.co.uk/place?id=1'],
  [{ network: 'twitter' }, 'https://x.com/ada/status/1'],
])('%o can have a post at %s', (account, url) => {
  expect(problemOf(account, url)).toBeNull();
});

it.each<[Partial<Account>, string, string]>([
  [MASTODON, 'https://other.example/@ada/1', 'other.example'],
  [MASTODON, 'https://social.example.evil.example/@ada/1', 'social.example.evil.example'],
  [BLOG, 'https://example/de/news', 'example'],
  [{ network: 'twitter' }, 'https://notx.com/1', 'notx.com'],
])('%o cannot have a post at %s', (account, url, host) => {
  expect(problemOf(account, url)).toBe(
    `url must be the URL of the post on ${account.network!}; ${host} is another site.`,
  );
});

it('takes only https URLs without credentials', () => {
  for (const url of ['http://social.example/1', 'https://a:b@social.example/1', 'social.example/1'])
    expect(problemOf(MASTODON, url)).toBe(
      'url must be the https URL of the post, without credentials or backslashes.',
    );
});
