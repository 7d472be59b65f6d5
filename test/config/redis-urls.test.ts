import { readRedisUrls } from '../../src/config/redis-urls.js';

test.each([
  ['redis://cache', ['redis://cache']],
  ['rediss://u:p@cache:1/2?family=6', ['rediss://u:p@cache:1/2?family=6']],
  ['redis://a:1, redis://b:2', ['redis://a:1', 'redis://b:2']],
  [
    'redis+sentinel://u:p,q@a:26379,[::1]/posts/2?sentinelPassword=s',
    [
      'redis+sentinel://u:p,q@a:26379/posts/2?sentinelPassword=s',
      'redis+sentinel://u:p,q@[::1]/posts/2?sentinelPassword=s',
    ],
  ],
  ['rediss+sentinel://a/my-posts.1/', ['rediss+sentinel://a/my-posts.1/']],
  ['redis+cluster://a', ['redis+cluster://a']],
  ['rediss+cluster://u:p@a:1,b:2/0', ['rediss+cluster://u:p@a:1/0', 'rediss+cluster://u:p@b:2/0']],
])('the servers of %s', (text, urls) => {
  expect(readRedisUrls(text)).toEqual(urls);
});

test.each([
  ',',
  'cache:6379',
  'redis://a,redis+cluster://b',
  'redis+cluster://a,redis+cluster://b',
  'redis+cluster://a,',
  'redis+cluster://a/1',
  'redis+cluster://a?sentinelPassword=s',
  'redis+cluster://u:%zz@a',
  'redis+sentinel://a:26379',
  'redis+sentinel://a/my posts',
  'redis+sentinel://a/posts/one',
  'redis+sentinel://a/posts?password=s',
  'redis+sentinel:///posts',
  'redis+sentinel://a/posts,redis+sentinel://b/posts',
  'redis+other://a',
])('%s is not accepted', (text) => {
  expect(readRedisUrls(text)).toBeUndefined();
});
