import type { NetworkFailureCode } from '../../domain/networks/network-failures.js';
import { tiktok } from '../../domain/networks/tiktok.js';
import type { NetworkAdapter } from '../../services/networks/network-ports.js';
import { createAdapter } from '../adapter.js';
import type { HttpClient } from '../http-client/http-client.js';
import { textAt } from '../http-client/json-path.js';
import type { ErrorMapping } from '../http-client/network-response.js';
import { grantFailureCode } from '../oauth2/oauth2.js';

const ME = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name,avatar_url';

/** Failures by the code in the body, which an answer with status 200 may have. */
const FAILURE_CODES: Readonly<Record<string, NetworkFailureCode>> = {
  access_token_invalid: 'NETWORK_REAUTHORIZATION_NEEDED',
  scope_not_authorized: 'NETWORK_REAUTHORIZATION_NEEDED',
  rate_limit_exceeded: 'NETWORK_RATE_LIMITED',
  internal_error: 'NETWORK_UNAVAILABLE',
};

/** Error mapping of all calls; the token endpoint writes errors in the form of OAuth. */
export const TIKTOK_ERRORS: ErrorMapping = {
  failureCode(response) {
    const { status, json } = response;
    const code = textAt(json, 'error', 'code') ?? textAt(json, 'error');
    if (code === null || code === 'ok') return null;
    const refused = status === 200 ? ('NETWORK_REFUSED' as const) : null;
    return FAILURE_CODES[code] ?? grantFailureCode(response) ?? refused;
  },
  errorMessage: (json) => textAt(json, 'error', 'message') ?? textAt(json, 'error_description'),
};

/** TikTok: accounts are connected; posts are not published yet. */
export const createTiktok = (http: HttpClient): NetworkAdapter =>
  createAdapter(http, tiktok, {
    errors: TIKTOK_ERRORS,
    async check(client, { accessToken }) {
      const me = await client.request('GET', ME, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
      const socialId = textAt(me, 'data', 'user', 'open_id') ?? client.throwMissing('open_id');
      return {
        socialId,
        name: textAt(me, 'data', 'user', 'display_name') ?? socialId,
        type: 'profile',
        picture: textAt(me, 'data', 'user', 'avatar_url'),
      };
    },
  });
