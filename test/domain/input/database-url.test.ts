import { changeDatabaseUrl, isDatabaseUrl } from '../../../src/domain/input/database-url.js';

test.each([
  ['postgresql://u:p@a/db', true],
  ['postgres:///db?host=/run/postgresql', true],
  ['postgresql://u:p@a:1,b:2/db', true],
  ['postgresql://a,b/db?target_session_attrs=read-write', true],
  ['postgresql://a,b/db?target_session_attrs=primary', true],
  ['postgresql://a,b/db?target_session_attrs=any', true],
  ['postgresql://a,b/db?target_session_attrs=standby', false],
  ['postgresql://a/db?target_session_attrs=read-only', false],
  ['postgresql://a,/db', false],
  ['postgresql://a:1,b:x/db', false],
  ['mysql://a,b/db', false],
  ['a,b', false],
])('%s is accepted: %s', (url, isAccepted) => {
  expect(isDatabaseUrl(url)).toBe(isAccepted);
});

test('a change keeps the hosts', () => {
  const withoutPassword = (url: string): string | null =>
    changeDatabaseUrl(url, (parsed) => {
      parsed.password = '';
    });
  expect(withoutPassword('postgresql://u:p@a:1,b:2/db?x=1')).toBe('postgresql://u@a:1,b:2/db?x=1');
  expect(withoutPassword('postgresql://u:p@a:1/db')).toBe('postgresql://u@a:1/db');
  expect(withoutPassword('a b')).toBeNull();
});
