import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../domain/changes/merge-patch.js';

/** How long a confirmation can be used. */
const LIFETIME_S = 600;
const EXPIRY_BYTES = 4;
const SIGNATURE_BYTES = 16;

/** What a confirmation is for: a tool, its arguments, and the posts as they are. */
export type Confirmed = readonly unknown[];

function sign(apiKey: string, confirmed: Confirmed, expiresAt: number): Buffer {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUInt32BE(expiresAt);
  const signature = createHmac('sha256', apiKey)
    .update('confirmation')
    .update(expiry)
    .update(canonicalJson(confirmed))
    .digest();
  return Buffer.concat([expiry, signature.subarray(0, SIGNATURE_BYTES)]);
}

/** A token with which the call can be made, and when it expires. */
export function createConfirmation(
  apiKey: string,
  confirmed: Confirmed,
  now: Date,
): { readonly token: string; readonly expiresAt: Date } {
  const expiresAt = Math.floor(now.getTime() / 1_000) + LIFETIME_S;
  const token = sign(apiKey, confirmed, expiresAt).toString('base64url');
  return { token, expiresAt: new Date(expiresAt * 1_000) };
}

/** Whether the token was made with this key for this call, and has not expired. */
export function isConfirmation(
  token: string,
  { apiKey, confirmed, now }: { apiKey: string; confirmed: Confirmed; now: Date },
): boolean {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== EXPIRY_BYTES + SIGNATURE_BYTES) return false;
  const expiresAt = bytes.readUInt32BE();
  const isCurrent = expiresAt * 1_000 > now.getTime();
  return isCurrent && timingSafeEqual(bytes, sign(apiKey, confirmed, expiresAt));
}
