import { keyHash } from '../../../src/services/access/key-hash.js';

describe('keyHash', () => {
  it('is SHA-256', () => {
    expect(Buffer.from(keyHash('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });

  it('is case-sensitive', () => {
    expect(keyHash('spk_live_a')).not.toEqual(keyHash('spk_live_A'));
  });
});
