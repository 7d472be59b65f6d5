import { randomBytes } from 'node:crypto';
import {
  fingerprintOf,
  isSealedWith,
  seal,
  unseal,
} from '../../src/persistence/credentials/credential-cipher.js';

const [key, other] = [randomBytes(32), randomBytes(32)];
const SECRET = { instance: 'https://mastodon.example', accessToken: 'tok-Ünïcode-🔑' };
const sealed = seal(key, 'acc_1', SECRET);

describe('sealed credentials', () => {
  it('open with the key that sealed them, wherever it stands, and tell which it was', () => {
    expect(unseal([key], 'acc_1', sealed)).toEqual(SECRET);
    expect(unseal([other, key], 'acc_1', sealed)).toEqual(SECRET);
    expect([isSealedWith(key, sealed), isSealedWith(other, sealed)]).toEqual([true, false]);
    expect([...sealed.subarray(0, 9)]).toEqual([1, ...fingerprintOf(key)]);
  });

  it('hold nothing that can be read, and are never the same twice', () => {
    expect(sealed.toString('latin1')).not.toMatch(/tok-|mastodon|accessToken/);
    expect(sealed.includes(key)).toBe(false);
    const nonces = new Set(
      Array.from({ length: 200 }, () => seal(key, 'acc_1', SECRET).subarray(9, 21).toString('hex')),
    );
    expect(nonces.size).toBe(200);
  });

  it('do not open for another account', () => {
    expect(() => unseal([key], 'acc_2', sealed)).toThrow(
      new Error(
        'The credentials of acc_2 cannot be opened: they are not as they were sealed, or were sealed for another account',
      ),
    );
  });

  it('do not open when a single bit of them is another', () => {
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => unseal([key], 'acc_1', changed)).toThrow(
        'The credentials of acc_1 cannot be opened',
      );
    }
    for (const length of [0, 1, 9, 21, 36, sealed.length - 1])
      expect(() => unseal([key], 'acc_1', sealed.subarray(0, length))).toThrow('cannot be opened');
  });

  it('name the key that is missing by its fingerprint, and nothing of what is sealed', () => {
    const refusal = (keys: Uint8Array[], bytes: Uint8Array): string => {
      try {
        unseal(keys, 'acc_1', bytes);
        return '';
      } catch (error) {
        return String((error as Error).stack);
      }
    };
    const missing = refusal([other], sealed);
    expect(missing).toContain(
      `they were sealed with the key ${fingerprintOf(key).toString('hex')}, which is not at hand. Add it to CREDENTIALS_KEY, behind the first`,
    );
    expect(refusal([key], Buffer.concat([Buffer.of(9), sealed.subarray(1)]))).toContain(
      'their form 9 is not known to this build',
    );
    expect(missing).not.toMatch(new RegExp(`tok-|${other.toString('hex')}|${key.toString('hex')}`));
  });
});
