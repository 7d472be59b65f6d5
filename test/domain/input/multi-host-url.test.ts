import { singleHostUrls } from '../../../src/domain/input/multi-host-url.js';

test.each([
  ['postgresql://u:p@a/db', ['postgresql://u:p@a/db']],
  ['postgresql://u:p@a:1,b/db?x=1', ['postgresql://u:p@a:1/db?x=1', 'postgresql://u:p@b/db?x=1']],
  ['postgres://[::1]:1,[::2]:2/db', ['postgres://[::1]:1/db', 'postgres://[::2]:2/db']],
  ['postgresql://u:p,q@a/db?y=1,2', ['postgresql://u:p,q@a/db?y=1,2']],
  ['redis+cluster://a:1,b:2', ['redis+cluster://a:1', 'redis+cluster://b:2']],
])('the hosts of %s', (url, urls) => {
  expect(singleHostUrls(url)).toEqual(urls);
});
