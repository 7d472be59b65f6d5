import type { Browser, BrowserCookie } from '../services/accounts/consents.js';

/** The browser of a request with these headers. */
export const browserOf = ({
  origin,
  cookie = '',
}: {
  readonly origin?: string | undefined;
  readonly cookie?: string | undefined;
}): Browser => ({
  origin: origin ?? null,
  cookies: Object.fromEntries(
    cookie.split(';').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  ),
});

/**
 * The header that gives a browser a cookie. Scripts cannot read it. Of the requests that other sites
 * cause, only those that open a page of the gateway contain it.
 */
export const toCookieHeader = ({ name, value, isSecure, maxAgeMs }: BrowserCookie) => ({
  'Set-Cookie': `${name}=${value}; Path=/; Max-Age=${maxAgeMs / 1_000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
});
