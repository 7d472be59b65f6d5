import type { Config } from '../config/config.js';
import { openWeb } from '../networks/http-client/web.js';
import { createNetworks } from '../networks/registry.js';
import { blogHtml } from '../services/posts/blog-html.js';
import type { Networks } from '../services/networks/network-ports.js';
import type { Clock } from '../services/ports.js';

/** The adapters of all networks, over one way out. */
export const composeNetworks = (
  { networksAllowLoopback, linkedinVersion, facebookVersion }: Config,
  clock: Clock,
): Networks =>
  createNetworks(openWeb({ allowLoopback: networksAllowLoopback, clock }), {
    linkedinVersion,
    facebookVersion,
    blogHtml,
  });
