import { facebook } from '../../domain/networks/facebook.js';
import { google } from '../../domain/networks/google.js';
import { instagram } from '../../domain/networks/instagram.js';
import { linkedin } from '../../domain/networks/linkedin.js';
import { pinterest } from '../../domain/networks/pinterest.js';
import { threads } from '../../domain/networks/threads.js';
import { tiktok } from '../../domain/networks/tiktok.js';
import { twitter } from '../../domain/networks/twitter.js';
import { youtube } from '../../domain/networks/youtube.js';
import type { ConsentNetworks } from '../../services/accounts/consent-ports.js';
import type { createNetworks } from '../registry.js';
import { facebookCalls } from '../facebook/facebook-consent.js';
import { googleCalls, youtubeCalls } from '../google/google-consent.js';
import type { HttpClient } from '../http-client/http-client.js';
import type { NetworkHosts } from '../http-client/network-hosts.js';
import { instagramCalls } from '../instagram/instagram-consent.js';
import { linkedinCalls } from '../linkedin/linkedin-consent.js';
import { createMastodonConsent } from '../mastodon/mastodon-consent.js';
import { GRAPH_ERRORS } from '../meta/graph-api.js';
import { PINTEREST_ERRORS } from '../pinterest/pinterest.js';
import { TIKTOK_ERRORS } from '../tiktok/tiktok-api.js';
import { TWITTER_ERRORS } from '../twitter/twitter.js';
import { createWordpressConsent } from '../wordpress/wordpress-consent.js';
import {
  createOauthConsent,
  forConsents,
  ownAccount,
  type OauthCalls,
  type OauthNetwork,
} from './oauth-consent.js';

interface ConsentOptions {
  /** Creates the adapters, which find out whose some credentials are. */
  readonly createAdapters: (http: HttpClient) => ReturnType<typeof createNetworks>;
  readonly hosts: NetworkHosts;
  readonly linkedinVersion: string;
  readonly facebookVersion: string;
}

/** The networks whose people connect accounts by consent. */
export function createConsentNetworks(
  client: HttpClient,
  { createAdapters, hosts, linkedinVersion, facebookVersion }: ConsentOptions,
): ConsentNetworks {
  const http = forConsents(client);
  const adapters = createAdapters(http);
  const oauth = (network: OauthNetwork, calls: OauthCalls) =>
    createOauthConsent(http, network, { ...calls, hosts, version: facebookVersion });
  return {
    facebook: oauth(facebook, facebookCalls(facebookVersion).pages),
    instagram: oauth(instagram, instagramCalls(adapters.instagram, facebookVersion)),
    threads: oauth(threads, { errors: GRAPH_ERRORS, findAccounts: ownAccount(adapters.threads) }),
    twitter: oauth(twitter, { errors: TWITTER_ERRORS, findAccounts: ownAccount(adapters.twitter) }),
    tiktok: oauth(tiktok, { errors: TIKTOK_ERRORS, findAccounts: ownAccount(adapters.tiktok) }),
    linkedin: oauth(linkedin, linkedinCalls(adapters.linkedin, linkedinVersion)),
    pinterest: oauth(pinterest, {
      errors: PINTEREST_ERRORS,
      findAccounts: ownAccount(adapters.pinterest),
    }),
    google: oauth(google, googleCalls),
    youtube: oauth(youtube, youtubeCalls(adapters.youtube)),
    mastodon: createMastodonConsent(http, { adapter: adapters.mastodon, hosts }),
    wordpress: createWordpressConsent(http, { adapter: adapters.wordpress }),
  };
}
