import { FIELD_LIMITS } from '../../../src/domain/changes/patch-limits.js';

describe('FIELD_LIMITS', () => {
  it('equals the database’s constraints', () => {
    const { text, title, excerpt } = FIELD_LIMITS.postPatch;
    expect([
      text.maxLength,
      title.maxLength,
      excerpt.maxLength,
      FIELD_LIMITS.label.name.maxLength,
    ]).toEqual([100_000, 2_000, 20_000, 100]);
  });
});
