import { randomBytes } from 'node:crypto';
import {
  fingerprintOf,
  isSealedWith,
  seal,
  unseal,
} from '../../../src/persistence/credentials/credential-keys.js';

const [key, other] = [randomBytes(32), randomBytes(32)];
const SECRET = { instance: 'https://mastodon.example', accessToken: 'tok-Ünïcode-🔑' };
const sealed = seal(key, 'acc_1', SECRET);

describe('sealed credentials', () => {
  it('can be unsealed with the key that sealed them, at any position, and identify it', () => {
    expect(unseal([key], 'acc_1', sealed)).toEqual(SECRET);
    expect(unseal([other, key], 'acc_1', sealed)).toEqual(SECRET);
    expect([isSealedWith(key, sealed), isSealedWith(other, sealed)]).toEqual([true, false]);
    expect([...sealed.subarray(0, 9)]).toEqual([1, ...fingerprintOf(key)]);
  });

  it('contain no readable text, and never repeat', () => {
    expect(sealed.toString('latin1')).not.toMatch(/tok-|mastodon|accessToken/);
    expect(sealed.includes(key)).toBe(false);
    const nonces = new Set(
      Array.from({ length: 200 }, () => seal(key, 'acc_1', SECRET).subarray(9, 21).toString('hex')),
    );
    expect(nonces.size).toBe(200);
  });

  it('cannot be unsealed for another account', () => {
    expect(() => unseal([key], 'acc_2', sealed)).toThrow(
      new Error(
        'Could not decrypt the secrets of acc_2: the data was modified, or was encrypted for another record',
      ),
    );
  });

  it('cannot be unsealed if a single bit changed', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => unseal([key], 'acc_1', changed)).toThrow(
        'Could not decrypt the secrets of acc_1',
      );
    }
    for (const length of [0, 1, 9, 21, 36, sealed.length - 1])
      expect(() => unseal([key], 'acc_1', sealed.subarray(0, length))).toThrow('Could not decrypt');
  });

  it('name a missing key by its fingerprint, and reveal nothing that is sealed', () => {
    const stackOf = (keys: Uint8Array[], bytes: Uint8Array): string => {
      try {
        unseal(keys, 'acc_1', bytes);
        return '';
      } catch (error) {
        return String((error as Error).stack);
      }
    };
    const missing = stackOf([other], sealed);
    expect(missing).toContain(
      `they were encrypted with key ${fingerprintOf(key).toString('hex')}, which is not configured. Append it to CREDENTIALS_KEY`,
    );
    expect(stackOf([key], Buffer.concat([Buffer.of(9), sealed.subarray(1)]))).toContain(
      'format 9 is not supported by this build',
    );
    expect(missing).not.toMatch(new RegExp(`tok-|${other.toString('hex')}|${key.toString('hex')}`));
  });
});
