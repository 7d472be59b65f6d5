import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { PAGES_DIR } from '../config/package-paths.js';
import { readDemoFile } from '../demo/demo-file.js';
import { createGraphqlHandler } from '../graphql/http-handler.js';
import { createGraphqlServer } from '../graphql/server.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import type { AppHandlers } from '../http/app.js';
import { createPages } from '../http/pages.js';
import { createRestHandler } from '../rest/router.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';

interface ApiDependencies {
  readonly services: Services;
  readonly authenticator: Authenticator;
  /** Whether the database is the embedded one, which holds the demo. */
  readonly hasDemo: boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Builds both APIs and the pages for browsers. */
export function composeApiHandlers(
  { dataDir, playground: hasPlayground }: Config,
  { services, authenticator, hasDemo, clock, log }: ApiDependencies,
): Pick<AppHandlers, 'graphql' | 'rest'> {
  const server = createGraphqlServer({ services, clock, log });
  const { handlers: pages, playground } = createPages({
    folder: PAGES_DIR,
    hasPlayground,
    readDemo: async () => (hasDemo ? readDemoFile(dataDir) : null),
  });
  return {
    graphql: createGraphqlHandler({ authenticator, server, playground }),
    rest: createRestHandler({ services, authenticator, pages, postPatch: server.postPatchType }),
  };
}
