import type { Network } from '../../src/domain/networks/networks.js';
import type { Networks } from '../../src/services/networks/network-ports.js';
import type { Setting } from '../../src/config/setting.js';
import { capsPage } from './caps-page.js';
import { errorsPage } from './errors-page.js';
import { limitsPage, type DoorLimits } from './limits-page.js';
import { networksPage } from './networks-page.js';
import { rulesPage } from './rules-page.js';
import { settingsPage } from './settings-page.js';
import { statesPage } from './states-page.js';
import { wordsPage } from './words-page.js';

/** What the pages tell of other rooms. */
export interface ManualFacts {
  readonly settings: readonly Setting<unknown>[];
  readonly limits: DoorLimits;
  readonly adapters: Networks;
  readonly variableOf: (network: Network, field: string) => string;
}

/** The pages of docs/reference by their file names. `npm run schema` writes them, and a test fails when one is stale. */
export const manualPages = ({
  settings,
  limits,
  adapters,
  variableOf,
}: ManualFacts): Readonly<Record<string, string>> => ({
  'rules.md': rulesPage(),
  'caps.md': capsPage(),
  'errors.md': errorsPage(),
  'states.md': statesPage(),
  'limits.md': limitsPage(limits),
  'networks.md': networksPage({ adapters, variableOf }),
  'words.md': wordsPage(),
  'settings.md': settingsPage(settings),
});
