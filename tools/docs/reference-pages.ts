import 'reflect-metadata'; // before any type of the schema
import { environmentVariableOf } from '../../src/cli/commands/accounts.js';
import { composeNetworks } from '../../src/composition/networks.js';
import { readConfig } from '../../src/config/config.js';
import { PAGE_SIZE } from '../../src/graphql/schema/connection.js';
import { LIMITS } from '../../src/graphql/document/limits.js';
import { referencePages } from './pages.js';
import { PER_PAGE } from '../../src/rest/posts/post-bodies.js';
import { systemClock } from '../../src/services/clock.js';
import { SETTINGS } from '../../src/config/settings.js';

/** The pages of docs/reference, with default settings. */
export const createReferencePages = (): Readonly<Record<string, string>> =>
  referencePages({
    settings: Object.values(SETTINGS),
    limits: { operation: LIMITS, connection: PAGE_SIZE, page: PER_PAGE },
    adapters: composeNetworks(readConfig({}), { clock: systemClock }),
    variableOf: environmentVariableOf,
  });
