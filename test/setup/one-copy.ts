import { copiesAmong, SHARED_PACKAGES } from './shared-packages.js';

/** Runs in each test file: its modules must share one copy of graphql and the like. */
const COPIES = SHARED_PACKAGES.map((name) => `node_modules/${name}`);
afterAll(() => {
  const others = copiesAmong(Object.keys(require.cache)).filter((copy) => !COPIES.includes(copy));
  expect(others).toEqual([]);
});
