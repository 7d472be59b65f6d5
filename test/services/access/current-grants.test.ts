import { systemClock } from '../../../src/services/clock.js';
import type { Grant, KeyUse } from '../../../src/persistence/access/key-store.js';
import { createCurrentGrants } from '../../../src/services/access/current-grants.js';

const use = (keyId: string): KeyUse => ({ keyId, workspaceId: 'wks_1' });

/** Grants in which `none`, `free` and `stranger` may not read the workspace. */
function grantOf({ keyId }: KeyUse): Grant | null {
  if (keyId === 'none') return null;
  const caller = { plan: keyId === 'free' ? 'free' : 'business' } as Grant['caller'];
  return { caller, viewer: keyId === 'stranger' ? null : (caller as Grant['viewer']) };
}

function currentGrants(ended: readonly string[] = []) {
  const queries: (readonly KeyUse[])[] = [];
  const grants = createCurrentGrants(
    {
      findGrants: (uses) => {
        queries.push(uses);
        return Promise.resolve(uses.map(grantOf));
      },
      findEnded: (uses) => {
        queries.push(uses);
        return Promise.resolve(
          uses.flatMap(({ keyId }, index) => (ended.includes(keyId) ? index : [])),
        );
      },
    },
    systemClock,
  );
  return { grants, queries };
}

test('calls of one tick share a query, and those of the same use its result', async () => {
  const { grants, queries } = currentGrants();
  const [first, other, second] = await Promise.all(
    ['a', 'b', 'a'].map((keyId) => grants.viewer(use(keyId))),
  );
  expect(queries).toEqual([[use('a'), use('b')]]);
  expect(second).toBe(first);
  expect(other).not.toBe(first);
  expect(await grants.viewer(use('a'))).not.toBe(first);
  expect(queries).toHaveLength(2);
});

test.each([
  ['none', 'UNAUTHENTICATED'],
  ['free', 'PLAN_REQUIRED'],
  ['stranger', 'NOT_A_MEMBER'],
])('%s: %s', async (keyId, code) => {
  const { grants } = currentGrants();
  const [refused, allowed] = await Promise.allSettled([
    grants.viewer(use(keyId)),
    grants.viewer(use('a')),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: { code } });
  expect(allowed).toMatchObject({ status: 'fulfilled', value: { api: 'graphql' } });
});

test('each use is checked once for its end, however many streams have it', async () => {
  const { grants, queries } = currentGrants(['b']);
  const streams = ['a', 'b', 'a', 'b'].map((keyId, nth) => ({ ...use(keyId), nth }));
  expect(await grants.findEnded(streams)).toEqual([streams[1], streams[3]]);
  expect(queries).toEqual([
    [streams[0], streams[1]].map((s) => expect.objectContaining(use(s!.keyId))),
  ]);
});
