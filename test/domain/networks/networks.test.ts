import { canonicalPrivacy } from '../../../src/domain/networks/networks.js';

describe('canonicalPrivacy', () => {
  it.each([
    ['tiktok', 'self_only', 'SELF_ONLY'],
    ['tiktok', 'private', null],
    ['youtube', 'UNLISTED', 'unlisted'],
    ['youtube', 'SELF_ONLY', null],
    ['facebook', 'Public', 'Public'],
  ] as const)('%s: %s is %s', (network, word, expected) => {
    expect(canonicalPrivacy(network, word)).toBe(expected);
  });
});
