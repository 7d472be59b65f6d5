import 'reflect-metadata'; // before any type of the schema
import { variableOf } from '../cli/records/credential-fields.js';
import { composeNetworks } from './compose-networks.js';
import { readConfig } from '../config.js';
import { PAGE_SIZE } from '../graphql/connection/connection.js';
import { LIMITS } from '../graphql/limits/limits.js';
import { manualPages } from '../manual/pages.js';
import { PER_PAGE } from '../rest/bodies/post-bodies.js';
import { systemClock } from '../services/random-ids.js';
import { SETTINGS } from '../settings/settings.js';

/** The pages of docs/reference, of this product as it is without any setting. */
export const composeManual = (): Readonly<Record<string, string>> =>
  manualPages({
    settings: Object.values(SETTINGS),
    limits: { operation: LIMITS, connection: PAGE_SIZE, page: PER_PAGE },
    adapters: composeNetworks(readConfig({}), systemClock),
    variableOf,
  });
