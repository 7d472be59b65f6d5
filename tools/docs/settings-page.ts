import type { Setting } from '../../src/config/setting.js';
import { code, EMPTY_CELL, page, table } from './markdown.js';

/** docs/reference/settings.md: all settings. */
export const settingsPage = (settings: readonly Setting<unknown>[]): string =>
  page(
    'Settings',
    'Settings are environment variables. All settings are optional, and an empty variable counts as unset. If a value is invalid, the process exits at startup and prints the allowed values. To store settings in a file, copy [.env.example](../../.env.example).',
    table(
      ['setting', 'default', 'allowed values', 'description'],
      settings.map((setting) => [
        code(setting.name),
        setting.default === '' ? EMPTY_CELL : code(setting.default),
        setting.allowed,
        setting.description,
      ]),
    ),
  );
