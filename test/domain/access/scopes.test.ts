import { SCOPES, missingScopes, type Scope } from '../../../src/domain/access/viewer.js';
import { enumKeys } from '../../../src/domain/enums.js';

test('a scope includes itself; posts includes posts:read and posts:write, which include nothing else', () => {
  for (const held of enumKeys(SCOPES) as readonly Scope[]) {
    for (const required of enumKeys(SCOPES) as readonly Scope[]) {
      const isGranted = held === required || (held === 'posts' && required.startsWith('posts:'));
      expect([held, required, missingScopes([held], [[required]])]).toEqual([
        held,
        required,
        isGranted ? [] : [required],
      ]);
    }
  }
});

test('the outer list is OR, the inner one AND; the alternative with the fewest missing scopes is returned', () => {
  expect(missingScopes(['media'], [['posts:write'], ['media', 'accounts']])).toEqual([
    'posts:write',
  ]);
  expect(missingScopes(['media', 'accounts'], [['posts:write'], ['media', 'accounts']])).toEqual(
    [],
  );
  expect(missingScopes([], [['posts:read', 'media'], ['posts:write']])).toEqual(['posts:write']);
  expect(missingScopes([], [])).toEqual([]);
});
