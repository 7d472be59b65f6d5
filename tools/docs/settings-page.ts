import type { Setting } from '../../src/config/setting.js';
import { code, NOTHING, page, table } from './markdown.js';

/** docs/reference/settings.md. */
export const settingsPage = (settings: readonly Setting<unknown>[]): string =>
  page(
    'Settings',
    'Environment variables; all are optional, and an empty one counts as unset. Whatever is wrong is told at once when a process starts, with what is allowed. As a file to copy: [.env.example](../../.env.example).',
    table(
      ['setting', 'default', 'meaning'],
      settings.map(({ name, meaning, allowed, standard }) => [
        code(name),
        standard === '' ? NOTHING : code(standard),
        `${meaning} Takes ${allowed}.`,
      ]),
    ),
  );
