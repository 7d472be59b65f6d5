import { parseUrl } from '../input/parse-url.js';
import { isUrl } from '../input/url-formats.js';
import type { Account } from '../posts/post.js';
import type { Network } from './networks.js';

type PostAccount = Pick<Account, 'id' | 'network' | 'sandbox' | 'socialId'>;

/**
 * The domains on which each network shows its posts, subdomains included; null if that depends on
 * the account. A domain without a dot stands for it in every country.
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

/** The host of an account's own server, as the ID of the account contains it. */
const SERVER_HOSTS: Readonly<Partial<Record<Network, RegExp>>> = {
  mastodon: /@(?<host>[^@/:]+\.[^@/:]+)(:\d+)?$/,
  wordpress: /^(https?:\/\/)?(?<host>[^/:]+\.[^/:]+)/,
};

/** The domains of the account's posts; null if they are unknown. */
function domainsOf({ network, socialId }: PostAccount): readonly string[] | null {
  const host = SERVER_HOSTS[network]?.exec(socialId)?.groups?.host;
  return POST_DOMAINS[network] ?? (host === undefined ? null : [host.toLowerCase()]);
}

/** Start of the addresses of the posts of a sandbox account. */
const sandboxAccountUrl = ({ id, network }: Pick<Account, 'id' | 'network'>): string =>
  `https://${network}.sandbox.example/${id}/`;

/** Address of a post on the sandbox network. */
export const sandboxPostUrl = (
  account: Pick<Account, 'id' | 'network'>,
  deliveryId: string,
): string => `${sandboxAccountUrl(account)}${deliveryId}`;

/**
 * Why an address cannot be that of a post of the account, as a sentence for users, or null. It has
 * to be an https URL on a domain of the network, on the account's server, or on the sandbox
 * network.
 */
export function postUrlProblem(account: PostAccount, address: string): string | null {
  if (!isUrl(address, HTTPS_URL_START))
    return 'url must be the https URL of the post, without credentials or backslashes.';
  const { href, hostname } = parseUrl(address)!;
  if (account.sandbox) {
    const start = sandboxAccountUrl(account);
    return href.startsWith(start) && href.length > start.length
      ? null
      : `url must be the URL of the post on the sandbox network, which starts with ${start}`;
  }
  const domains = domainsOf(account);
  return domains === null || domains.some((domain) => isOnDomain(hostname, domain))
    ? null
    : `url must be the URL of the post on ${account.network}; ${hostname} is another site.`;
}
