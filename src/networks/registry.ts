import type { AppClient, OauthApp } from '../domain/connections/oauth-rules.js';
import type { ContentBlock } from '../domain/posts/post-content.js';
import type { Networks } from '../services/networks/network-ports.js';
import { createBluesky } from './bluesky/bluesky.js';
import { createFacebook } from './facebook/facebook.js';
import { createGoogleBusiness } from './google/google.js';
import { createYoutube } from './youtube/youtube.js';
import { createInstagram } from './instagram/instagram.js';
import type { HttpClient } from './http-client/http-client.js';
import { createLinkedin } from './linkedin/linkedin.js';
import { createMastodon } from './mastodon/mastodon.js';
import { createPinterest } from './pinterest/pinterest.js';
import { createTelegram } from './telegram/telegram.js';
import { createThreads } from './threads/threads.js';
import { createTiktok } from './tiktok/tiktok.js';
import { createTwitter } from './twitter/twitter.js';
import { createWordpress } from './wordpress/wordpress.js';

interface NetworkOptions {
  readonly linkedinVersion: string;
  readonly facebookVersion: string;
  /** The client of an app of the operator; null if it is not configured. */
  readonly appClient: (app: OauthApp) => AppClient | null;
  /** Converts content blocks to the HTML of a blog post. */
  readonly blogHtml: (content: readonly ContentBlock[]) => string;
}

/** The adapters of all networks. */
export const createNetworks = (
  http: HttpClient,
  { linkedinVersion, facebookVersion, appClient, blogHtml }: NetworkOptions,
) =>
  ({
    linkedin: createLinkedin(http, { version: linkedinVersion }),
    youtube: createYoutube(http, appClient('YOUTUBE')),
    google: createGoogleBusiness(http, appClient('GOOGLE')),
    facebook: createFacebook(http, { version: facebookVersion }),
    wordpress: createWordpress(http, blogHtml),
    telegram: createTelegram(http),
    mastodon: createMastodon(http),
    bluesky: createBluesky(http),
    pinterest: createPinterest(http),
    instagram: createInstagram(http, { version: facebookVersion }),
    threads: createThreads(http),
    twitter: createTwitter(http),
    tiktok: createTiktok(http),
  }) satisfies Networks;
