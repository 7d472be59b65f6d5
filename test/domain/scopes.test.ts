import { SCOPES, missingScopes, type Scope } from '../../src/domain/access/scopes.js';
import { wordsOf } from '../../src/domain/vocabulary.js';

test('a scope grants itself, posts grants both its halves, and neither half grants more', () => {
  for (const held of wordsOf(SCOPES) as readonly Scope[]) {
    for (const wanted of wordsOf(SCOPES) as readonly Scope[]) {
      const isGranted = held === wanted || (held === 'posts' && wanted.startsWith('posts:'));
      expect([held, wanted, missingScopes([held], [[wanted]])]).toEqual([
        held,
        wanted,
        isGranted ? [] : [wanted],
      ]);
    }
  }
});

test('the outer list is or, the inner one and; of several ways the shortest is named', () => {
  expect(missingScopes(['media'], [['posts:write'], ['media', 'accounts']])).toEqual([
    'posts:write',
  ]);
  expect(missingScopes(['media', 'accounts'], [['posts:write'], ['media', 'accounts']])).toEqual(
    [],
  );
  expect(missingScopes([], [['posts:read', 'media'], ['posts:write']])).toEqual(['posts:write']);
  expect(missingScopes([], [])).toEqual([]);
});
