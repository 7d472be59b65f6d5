import type { ContentBlock } from '../domain/posts/post.js';
import type { Networks } from '../services/networks/network-ports.js';
import { createFacebook } from './facebook.js';
import { createGoogleBusiness } from './google/google-business.js';
import { createYoutube } from './google/youtube.js';
import type { Web } from './http-client/web.js';
import { createLinkedin } from './linkedin.js';
import { createMastodon } from './mastodon/mastodon.js';
import { createTelegram } from './telegram.js';
import { createWordpress } from './wordpress/wordpress.js';

interface NetworkOptions {
  readonly linkedinVersion: string;
  readonly facebookVersion: string;
  /** Content blocks as the HTML that a blog is given. */
  readonly blogHtml: (content: readonly ContentBlock[]) => string;
}

/** The networks whose published posts can be edited there: a row for each row of the document's table but the last. */
export const createNetworks = (
  web: Web,
  { linkedinVersion, facebookVersion, blogHtml }: NetworkOptions,
) =>
  ({
    linkedin: createLinkedin(web, { version: linkedinVersion }),
    youtube: createYoutube(web),
    google: createGoogleBusiness(web),
    facebook: createFacebook(web, { version: facebookVersion }),
    wordpress: createWordpress(web, blogHtml),
    telegram: createTelegram(web),
    mastodon: createMastodon(web),
  }) satisfies Networks;
