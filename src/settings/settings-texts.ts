import type { Setting } from './setting.js';

const HEADER = `# Every setting, with its default; all are optional. Made by \`npm run schema\` from src/settings/settings.ts.
# Copy it to .env, set what you need, and start with: node --env-file=.env --max-semi-space-size=64 dist/main.js
`;

/** The text of .env.example: each setting commented out, so that the file as it is changes nothing. */
export const envExample = (settings: readonly Setting<unknown>[]): string =>
  [HEADER, ...settings.map(({ name, meaning, allowed, standard }) => `# ${meaning}\n# Takes ${allowed}.\n#${name}=${standard}\n`)].join('\n');

/** The settings as a table of Markdown. */
export const settingsTable = (settings: readonly Setting<unknown>[]): string => [
  '| setting | default | meaning |',
  '| --- | --- | --- |',
  ...settings.map(({ name, meaning, allowed, standard }) => `| \`${name}\` | ${standard === '' ? '–' : `\`${standard}\``} | ${meaning} Takes ${allowed}. |`),
].join('\n');

const TABLE = /(?<=<!-- settings: npm run schema -->\n)[^]*?(?=\n<!-- end of settings -->)/;

/** The page with the table between its two marks brought up to date. */
export const withSettingsTable = (page: string, settings: readonly Setting<unknown>[]): string => page.replace(TABLE, () => settingsTable(settings));
