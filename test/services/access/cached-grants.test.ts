import { createCachedGrants } from '../../../src/services/access/access-control.js';
import type { Identity } from '../../../src/domain/access/viewer.js';

const second = (seconds: number): Date => new Date(Date.UTC(2026, 0) + seconds * 1000);
/** All that is looked at in a grant. */
const identity = (userId: string): Identity =>
  ({ caller: { user: { id: userId } }, workspace: { kind: 'missing' } }) as Identity;
const read = (
  given: Partial<{ grantsVersion: string; workspaceId: string; at: number; user: string }> = {},
) => {
  const { grantsVersion = 'e1', workspaceId = 'w1', at = 0, user = 'u1' } = given;
  return { grantsVersion, workspaceId, identity: identity(user), readAt: second(at) };
};

describe('a cached key', () => {
  it('first contains only its user, without a grants version', () => {
    const known = createCachedGrants();
    known.rememberUser('k', 'u1');
    expect(known.find('k')).toEqual({ userId: 'u1', grantsVersion: '', grant: null });
    expect(known.leasedIdentity(known.find('k')!, 'w1', second(0))).toBeUndefined();
  });

  it('then contains its grant in each workspace, for ten seconds from the first read', () => {
    const known = createCachedGrants();
    known.remember('k', read());
    known.remember('k', read({ workspaceId: 'w2', at: 6 }));
    const leased = (workspaceId: string, at: number) =>
      known.leasedIdentity(known.find('k')!, workspaceId, second(at)) !== undefined;
    expect([leased('w1', 9.999), leased('w2', 9.999), leased('w3', 1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([leased('w1', 10), leased('w2', 10)]).toEqual([false, false]);
    expect(leased('w1', -1)).toBe(false); // the clock was set back
  });

  it('contains grants of one grants version only', () => {
    const known = createCachedGrants();
    known.remember('k', read());
    known.remember('k', read({ grantsVersion: 'e2', workspaceId: 'w2' }));
    expect([
      known.find('k')!.grantsVersion,
      known.leasedIdentity(known.find('k')!, 'w1', second(0)),
    ]).toEqual(['e2', undefined]);
  });

  it('is not overwritten by rememberOwner', () => {
    const known = createCachedGrants();
    known.remember('k', read());
    known.rememberUser('k', 'u1');
    expect(known.find('k')!.grantsVersion).toBe('e1');
  });

  it('is removed individually, with all others, or as the oldest of too many', () => {
    const known = createCachedGrants({ maxKeys: 2 });
    for (const key of ['a', 'b', 'c']) known.remember(key, read());
    expect(['a', 'b', 'c'].map((key) => known.find(key) !== undefined)).toEqual([
      false,
      true,
      true,
    ]);
    known.forget('b');
    expect(['b', 'c'].map((key) => known.find(key) !== undefined)).toEqual([false, true]);
    known.clear();
    expect(known.find('c')).toBeUndefined();
  });

  it('has a bounded number of workspaces', () => {
    const known = createCachedGrants();
    for (let index = 0; index < 1_000; index++)
      known.remember('k', read({ workspaceId: `w${index}` }));
    expect(known.find('k')!.grant!.identities.size).toBeLessThanOrEqual(100);
    expect(known.leasedIdentity(known.find('k')!, 'w999', second(0))).toBeDefined();
  });
});
