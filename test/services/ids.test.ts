import { isPrefixedId, readPostId } from '../../src/domain/posts/post.js';
import { createIds } from '../../src/services/ids.js';

describe('identifiers', () => {
  const at = new Date('2026-11-21T10:00:00.900Z');
  const ids = createIds({ now: () => at });

  it('of documents contain their creation second and never repeat', () => {
    const made = Array.from({ length: 5_000 }, () => ids.document());
    expect(new Set(made).size).toBe(made.length);
    expect(new Set(made.map((id) => id.slice(0, 18))).size).toBe(1);
    for (const id of made.slice(0, 50)) expect(readPostId(id)).toEqual({ kind: 'document', id });
    expect(parseInt(made[0]!.slice(0, 8), 16)).toBe(at.getTime() / 1000 - 0.9);
  });

  it('of documents differ between processes started at the same time', () => {
    expect(
      createIds({ now: () => at })
        .document()
        .slice(8, 18),
    ).not.toBe(
      createIds({ now: () => at })
        .document()
        .slice(8, 18),
    );
  });

  it('of other records have their prefix and 16 uniformly distributed characters', () => {
    const made = Array.from({ length: 4_000 }, () => ids.prefixed('wks'));
    expect(made.every((id) => isPrefixedId('wks', id) && id.length === 20)).toBe(true);
    const counts = new Map<string, number>();
    for (const character of made.flatMap((id) => id.slice(4).split('')))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 64,000 characters, 1,032 each expected: without the rejected bytes the first eight would come
    // 1,250 times.
    expect(Math.max(...counts.values())).toBeLessThan(1_190);
  });
});
