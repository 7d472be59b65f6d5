import { expect, test } from '@jest/globals';
import { offsetAfter } from '../../../src/persistence/connections/database-clock.js';

/** A reading that took 20 ms: the database's time was read at 1,010 ± 10 of this machine's. */
const reading = (remote: number) => ({ sent: 1_000, remote, received: 1_020 });

test.each([
  { known: 0, remote: 1_010 },
  { known: 0, remote: 1_020 },
  { known: 0, remote: 999 },
  { known: 500, remote: 1_505 },
])('a reading of $remote keeps the known offset of $known ms', ({ known, remote }) => {
  expect(offsetAfter(known, reading(remote))).toBe(known);
});

test.each([
  { known: 0, remote: 1_030, offset: 20 },
  { known: 0, remote: 10, offset: -1_000 },
  { known: 500, remote: 1_010, offset: 0 },
])('a reading of $remote changes the known offset of $known ms', ({ known, remote, offset }) => {
  expect(offsetAfter(known, reading(remote))).toBe(offset);
});
