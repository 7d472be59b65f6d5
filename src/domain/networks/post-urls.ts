import { parseUrl, isUrl } from '../input/urls.js';
import type { Account } from '../posts/post.js';
import { NETWORKS } from './networks.js';

type PostAccount = Pick<Account, 'id' | 'network' | 'sandbox' | 'socialId'>;

const HTTPS_URL_START = /^https:\/\/[^/?#]/i;

const isOnDomain = (host: string, domain: string): boolean =>
  domain.includes('.')
    ? host === domain || host.endsWith(`.${domain}`)
    : new RegExp(`(^|\\.)${domain}\\.(com|[a-z]{2}|com?\\.[a-z]{2})$`).test(host);

/** The domains of the account's posts; null if they are unknown. */
function domainsOf({ network, socialId }: PostAccount): readonly string[] | null {
  const host = NETWORKS[network].serverHost?.exec(socialId)?.groups?.host;
  return NETWORKS[network].postDomains ?? (host === undefined ? null : [host.toLowerCase()]);
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
