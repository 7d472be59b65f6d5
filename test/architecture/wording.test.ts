import { listFiles, readText } from './source-files.js';

/**
 * Private words of earlier versions, and what to write instead. Single words are found in
 * identifiers too: `door` in `createRestDoor`.
 */
const PRIVATE_WORDS: Readonly<Record<string, string>> = {
  door: 'API',
  doors: 'APIs',
  doorkeeper: 'authentication',
  hall: 'HTTP layer',
  cellar: 'persistence',
  workshop: 'services',
  workbench: 'maintenance context',
  'night shift': 'worker',
  'waiting room': 'admission queue',
  'make way': 'evict',
  patience: 'timeout, deadline or grace period',
  impatient: 'timeout',
  vitals: 'readiness checks',
  lookout: 'database probe',
  checkup: 'diagnostics',
  epoch: 'version',
  epochs: 'versions',
  stranger: 'non-member, or resource of another workspace',
  strangers: 'non-members, or unknown keys',
  bystander: 'unaffected user',
  remedy: 'advice',
  remedies: 'advice',
  answerer: 'handler',
  'quiet turn': 'idle moment',
  mend: 'fix',
  mended: 'fixed',
  whoever: 'the user, the caller or the process',
  nobody: 'no user, no process',
  somebody: 'a user, a process',
  hastens: 'speeds up',
  'at hand': 'available',
  'in a word': '',
  'is told': 'is notified, or gets',
  'is away': 'is unavailable',
};

/** Legitimate uses: lines of these files that match the text are not checked. */
const ALLOWED: readonly { readonly file: RegExp; readonly text: RegExp; readonly why: string }[] = [
  { file: /./, text: /epoch (milli)?seconds|extract\(epoch FROM/i, why: 'the Unix epoch' },
  {
    file: /embedded-postgres/,
    text: /'nobody'|`nobody`|user postgres or nobody|nobody's -2/,
    why: 'name of an operating system user',
  },
  { file: /^src\/demo\/posts\/texts\.ts$/, text: /./, why: 'texts of the demo posts' },
];

const files = [
  ...listFiles('src', /\.(tsx?|graphql|html|css)$/),
  ...listFiles('tools', /\.(ts|mjs)$/),
  ...listFiles('docs', /\.md$/),
  'README.md',
  'CONTRIBUTING.md',
];

/** Separates the words of identifiers: `createRestDoor` becomes `create rest door`. */
const toWords = (text: string): string =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .toLowerCase();

function findPrivateWords(file: string): string[] {
  return readText(file)
    .split('\n')
    .flatMap((line, index) => {
      const words = ` ${toWords(line)} `;
      const isAllowed = ALLOWED.some((use) => use.file.test(file) && use.text.test(line));
      return Object.entries(PRIVATE_WORDS)
        .filter(([word]) => !isAllowed && words.includes(` ${word} `))
        .map(([word, instead]) => `${file}:${index + 1}: "${word}" (write ${instead})`);
    });
}

it('texts and identifiers use none of the private words of earlier versions', () => {
  expect(files.flatMap(findPrivateWords)).toEqual([]);
});

it('finds a private word in an identifier, in a sentence and across case', () => {
  expect(` ${toWords('createRestDoor(WAITING_ROOM)')} `).toBe(' create rest door waiting room  ');
});
