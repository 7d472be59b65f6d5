import { parseUrl } from '../input/parse-url.js';
import { isUrl } from '../input/url-formats.js';
import type { Account } from '../posts/post.js';
import type { Network } from './networks.js';

/**
 * The domains on which each network shows its posts, subdomains included; null if its posts can be
 * on any domain. A domain without a dot stands for it in every country.
 */
const POST_DOMAINS: Readonly<Record<Network, readonly string[] | null>> = {
  facebook: ['facebook.com', 'fb.com', 'fb.watch'],
  instagram: ['instagram.com', 'instagr.am'],
  threads: ['threads.net', 'threads.com'],
  tiktok: ['tiktok.com'],
  twitter: ['twitter.com', 'x.com'],
  mastodon: null,
  bluesky: ['bsky.app'],
  linkedin: ['linkedin.com', 'lnkd.in'],
  pinterest: ['pinterest', 'pin.it'],
  google: ['google', 'g.page', 'posts.gle', 'goo.gl'],
  youtube: ['youtube.com', 'youtu.be'],
  wordpress: null,
  telegram: ['t.me', 'telegram.me'],
};

const HTTPS_URL_START = /^https:\/\/[^/?#]/i;

const isOnDomain = (host: string, domain: string): boolean =>
  domain.includes('.')
    ? host === domain || host.endsWith(`.${domain}`)
    : new RegExp(`(^|\\.)${domain}\\.(com|[a-z]{2}|com?\\.[a-z]{2})$`).test(host);

/**
 * Why an address cannot be that of a post on the network of the account, as a sentence for users, or
 * null. It has to be an https URL on a domain of the network; on the sandbox network, on any domain.
 */
export function postUrlProblem(
  { network, sandbox }: Pick<Account, 'network' | 'sandbox'>,
  address: string,
): string | null {
  if (!isUrl(address, HTTPS_URL_START))
    return 'url must be the https URL of the post, without credentials or backslashes.';
  const { hostname } = parseUrl(address)!;
  const domains = sandbox ? null : POST_DOMAINS[network];
  return domains === null || domains.some((domain) => isOnDomain(hostname, domain))
    ? null
    : `url must be the URL of the post on ${network}; ${hostname} is another site.`;
}
