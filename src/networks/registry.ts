import type { ContentBlock } from '../domain/posts/post-content.js';
import type { Networks } from '../services/networks/network-ports.js';
import { createBluesky } from './bluesky/bluesky.js';
import { createFacebook } from './facebook/facebook.js';
import { createGoogleBusiness } from './google/google.js';
import { createYoutube } from './youtube/youtube.js';
import type { HttpClient } from './http-client/http-client.js';
import { createLinkedin } from './linkedin/linkedin.js';
import { createMastodon } from './mastodon/mastodon.js';
import { createTelegram } from './telegram/telegram.js';
import { createWordpress } from './wordpress/wordpress.js';

interface NetworkOptions {
  readonly linkedinVersion: string;
  readonly facebookVersion: string;
  /** Converts content blocks to the HTML of a blog post. */
  readonly blogHtml: (content: readonly ContentBlock[]) => string;
}

/** The adapters of all networks on which the service publishes or edits posts. */
export const createNetworks = (
  http: HttpClient,
  { linkedinVersion, facebookVersion, blogHtml }: NetworkOptions,
) =>
  ({
    linkedin: createLinkedin(http, { version: linkedinVersion }),
    youtube: createYoutube(http),
    google: createGoogleBusiness(http),
    facebook: createFacebook(http, { version: facebookVersion }),
    wordpress: createWordpress(http, blogHtml),
    telegram: createTelegram(http),
    mastodon: createMastodon(http),
    bluesky: createBluesky(http),
  }) satisfies Networks;
