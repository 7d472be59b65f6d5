import type { Setting } from '../src/config/setting.js';

const HEADER = `# Every setting, with its default; all are optional. Made by \`npm run schema\` from src/config/settings.ts.
# Copy it to .env, set what you need, and start with: node --env-file=.env --max-semi-space-size=64 dist/main.js
`;

/** The text of .env.example: each setting commented out, so that the file as it is changes nothing. */
export const envExample = (settings: readonly Setting<unknown>[]): string =>
  [
    HEADER,
    ...settings.map(
      ({ name, meaning, allowed, standard }) =>
        `# ${meaning}\n# Takes ${allowed}.\n#${name}=${standard}\n`,
    ),
  ].join('\n');
