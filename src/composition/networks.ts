import type { Config } from '../config/config.js';
import { createHttpClient } from '../networks/http-client/http-client.js';
import { createNetworks } from '../networks/registry.js';
import { blogHtml } from '../services/posts/blog-html/blog-html.js';
import type { Networks, ReadStoredMedia } from '../services/networks/network-ports.js';
import type { Clock } from '../services/clock.js';
import { NO_TRACING } from './telemetry/tracing.js';
import type { Tracing } from '../tracing/process-tracing.js';

/**
 * The adapters of all networks, over one HTTP client. `storedMedia`: for processes that publish.
 */
export const composeNetworks = (
  { networksAllowLoopback, linkedinVersion, facebookVersion }: Config,
  {
    clock,
    tracing = NO_TRACING,
    storedMedia,
  }: { clock: Clock; tracing?: Tracing | undefined; storedMedia?: ReadStoredMedia },
): Networks =>
  createNetworks(
    tracing.httpClient(
      createHttpClient({
        allowLoopback: networksAllowLoopback,
        clock,
        ...(storedMedia && { storedMedia }),
      }),
    ),
    {
      linkedinVersion,
      facebookVersion,
      blogHtml,
    },
  );
