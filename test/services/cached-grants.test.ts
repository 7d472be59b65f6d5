import { createKnownGrants } from '../../src/services/access/cached-grants.js';
import type { Identity } from '../../src/domain/access/identity.js';

const second = (seconds: number): Date => new Date(Date.UTC(2026, 0) + seconds * 1000);
/** All that is looked at in a grant. */
const identity = (userId: string): Identity =>
  ({ caller: { user: { id: userId } }, workspace: { kind: 'missing' } }) as Identity;
const read = (
  given: Partial<{ epoch: string; workspaceId: string; at: number; user: string }> = {},
) => {
  const { epoch = 'e1', workspaceId = 'w1', at = 0, user = 'u1' } = given;
  return { epoch, workspaceId, identity: identity(user), readAt: second(at) };
};

describe('what is known of a key', () => {
  it('is first its user, under no epoch there is', () => {
    const known = createKnownGrants();
    known.meet('k', 'u1');
    expect(known.of('k')).toEqual({ userId: 'u1', epoch: '', grant: null });
    expect(known.leased(known.of('k')!, 'w1', second(0))).toBeUndefined();
  });

  it('is then its grant in each workspace, for ten seconds from the first reading', () => {
    const known = createKnownGrants();
    known.remember('k', read());
    known.remember('k', read({ workspaceId: 'w2', at: 6 }));
    const leased = (workspaceId: string, at: number) =>
      known.leased(known.of('k')!, workspaceId, second(at)) !== undefined;
    expect([leased('w1', 9.999), leased('w2', 9.999), leased('w3', 1)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([leased('w1', 10), leased('w2', 10)]).toEqual([false, false]);
    expect(leased('w1', -1)).toBe(false); // the clock was set back
  });

  it('holds in one epoch only', () => {
    const known = createKnownGrants();
    known.remember('k', read());
    known.remember('k', read({ epoch: 'e2', workspaceId: 'w2' }));
    expect([known.of('k')!.epoch, known.leased(known.of('k')!, 'w1', second(0))]).toEqual([
      'e2',
      undefined,
    ]);
  });

  it('is not undone by meeting the key again', () => {
    const known = createKnownGrants();
    known.remember('k', read());
    known.meet('k', 'u1');
    expect(known.of('k')!.epoch).toBe('e1');
  });

  it('is forgotten: of one, of all, and of the oldest where there are too many', () => {
    const known = createKnownGrants({ mostKeys: 2 });
    for (const key of ['a', 'b', 'c']) known.remember(key, read());
    expect(['a', 'b', 'c'].map((key) => known.of(key) !== undefined)).toEqual([false, true, true]);
    known.forget('b');
    expect(['b', 'c'].map((key) => known.of(key) !== undefined)).toEqual([false, true]);
    known.forgetAll();
    expect(known.of('c')).toBeUndefined();
  });

  it('keeps to a bounded number of workspaces, whatever a caller names', () => {
    const known = createKnownGrants();
    for (let index = 0; index < 1_000; index++)
      known.remember('k', read({ workspaceId: `w${index}` }));
    expect(known.of('k')!.grant!.identities.size).toBeLessThanOrEqual(100);
    expect(known.leased(known.of('k')!, 'w999', second(0))).toBeDefined();
  });
});
