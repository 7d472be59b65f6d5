import type { Network } from '../../src/domain/networks/networks.js';
import type { Networks } from '../../src/services/networks/network-ports.js';
import type { Setting } from '../../src/config/setting.js';
import { capsPage } from './caps-page.js';
import { errorsPage } from './errors-page.js';
import { mcpPage } from './mcp-page.js';
import { limitsPage, type ApiLimits } from './limits-page.js';
import { networksPage } from './networks-page.js';
import { rulesPage } from './rules-page.js';
import { settingsPage } from './settings-page.js';
import { statesPage } from './states-page.js';
import { enumsPage } from './enums-page.js';

/** Data of the pages that is not in src/domain. */
export interface ReferenceFacts {
  readonly settings: readonly Setting<unknown>[];
  readonly limits: ApiLimits;
  readonly adapters: Networks;
  readonly variableOf: (network: Network, field: string) => string;
}

/**
 * The pages of docs/reference by file name. `npm run schema` writes them; a test fails if one is
 * stale.
 */
export const referencePages = ({
  settings,
  limits,
  adapters,
  variableOf,
}: ReferenceFacts): Readonly<Record<string, string>> => ({
  'rules.md': rulesPage(),
  'caps.md': capsPage(),
  'errors.md': errorsPage(),
  'states.md': statesPage(),
  'limits.md': limitsPage(limits),
  'networks.md': networksPage({ adapters, variableOf }),
  'enums.md': enumsPage(),
  'settings.md': settingsPage(settings),
  'mcp.md': mcpPage(),
});
