import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { TOOL_ERRORS } from '../../../src/mcp/tool-errors.js';
import { ERRORS } from '../../../src/domain/errors.js';
import { NETWORK_FAILURES } from '../../../src/domain/networks/network-failures.js';
import { SCOPES } from '../../../src/domain/access/viewer.js';
import { EVENT_TYPES } from '../../../src/domain/events/event.js';
import { SHARE_MODES } from '../../../src/domain/creation/creation-modes.js';
import { DELIVERY_GUARANTEES } from '../../../src/domain/networks/network-definition.js';
import { SERVICE_FAILURES } from '../../../src/domain/publishing/publication-failures.js';
import { SETTINGS } from '../../../src/config/settings.js';
import { anOperator } from '../../fixtures/operator.js';

const ROOT = path.resolve(__dirname, '../../..');
const markdownIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join(folder, file));
const DECISIONS = 'docs/decisions.md';
const PAGES = ['', 'docs', 'docs/reference', 'lab', 'lab/bench'].flatMap(markdownIn);
const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');
const withoutBlocks = (text: string): string => text.replace(/^```.*?^```$/gms, '');
const blocksOf = (page: string): string =>
  [...textOf(page).matchAll(/^ *```sh[^\n]*\n(.*?)^ *```$/gms)].map(([, block]) => block).join('');

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string): string[] =>
  [...withoutBlocks(textOf(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

interface Link {
  readonly page: string;
  readonly target: string;
}
const links: Link[] = PAGES.flatMap((page) =>
  [...withoutBlocks(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({
    page,
    target: target!,
  })),
);
const inside = links.filter(({ target }) => !/^https?:/.test(target));
const fileOf = ({ page, target }: Link): string =>
  target.startsWith('#') ? page : path.join(path.dirname(page), target.split('#', 1)[0]!);

describe('links', () => {
  it('point to existing files and headings', () => {
    expect(inside.length).toBeGreaterThan(100);
    expect(inside.filter((link) => !existsSync(path.join(ROOT, fileOf(link))))).toEqual([]);
    const withAnchor = inside.filter(({ target }) => target.includes('#'));
    expect(withAnchor.length).toBeGreaterThan(5);
    expect(
      withAnchor.filter((link) => !anchorsOf(fileOf(link)).includes(link.target.split('#')[1]!)),
    ).toEqual([]);
  });

  it('reach every page from the README', () => {
    const linked = new Set(inside.filter(({ page }) => page === 'README.md').map(fileOf));
    expect(PAGES.filter((page) => page !== 'README.md' && !linked.has(page))).toEqual([]);
  });

  it('to other sites use https', () => {
    expect(links.filter(({ target }) => target.startsWith('http:'))).toEqual([]);
  });
});

describe('commands', () => {
  it('of npm exist in package.json', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((page) =>
      [...textOf(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, script]) => script!),
    );
    expect(new Set(named).size).toBeGreaterThan(8);
    expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
  });

  it('of posts-gateway exist with the options that the guides use', async () => {
    const guides = PAGES.filter((page) => page !== 'docs/cli.md'); // generated from the commands
    const shown = guides.flatMap((page) =>
      [...blocksOf(page).matchAll(/npx posts-gateway ([^#\n]*)/g)].map(([, line]) => line!.trim()),
    );
    expect(new Set(shown).size).toBeGreaterThan(15);
    const { cli } = anOperator(() => ({}));
    const { out: globalOptions } = await cli('--help');
    for (const line of new Set(shown)) {
      const words = line.split(' ');
      const path = words.slice(0, /^[a-z]+$/.test(words[1] ?? '') ? 2 : 1);
      const { out } = await cli(...path, '--help');
      expect([line, out]).toEqual([
        line,
        expect.stringMatching(new RegExp(`^Usage: posts-gateway ${path.join(' ')}\\b`)),
      ]);
      for (const [option] of line.matchAll(/--[a-z-]+/g))
        expect([line, out + globalOptions]).toEqual([line, expect.stringContaining(option)]);
    }
  });
});

describe('identifiers', () => {
  const guides = PAGES.filter(
    (page) => !/^(docs\/reference\/|docs\/decisions\.md|CHANGELOG\.md)/.test(page),
  );

  it('in capitals are existing codes and settings', () => {
    const known = new Set([
      ...Object.keys(ERRORS),
      ...Object.keys(TOOL_ERRORS),
      ...Object.keys(NETWORK_FAILURES),
      ...Object.keys(SERVICE_FAILURES),
      ...Object.keys({
        ...DELIVERY_GUARANTEES,
        ...SHARE_MODES,
        ...SCOPES,
        ...EVENT_TYPES,
      }).map((name) => name.toUpperCase().replace(/[:.]/, '_')),
      ...Object.values(SETTINGS).map(({ name }) => name),
    ]);
    // Codes and settings have several words in capitals.
    const named = guides.flatMap((page) =>
      [...withoutBlocks(textOf(page)).matchAll(/\b[A-Z]+(?:_[A-Z]+)+\b/g)].map(([word]) => ({
        page,
        word,
      })),
    );
    const otherNames =
      /^(TEST_|BENCH_|CONNECT_|NODE_ENV|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|PUBLISHED_|DRAFT_|SKIP_REFUSED|ALL_OR_NOTHING|CREATED_AT|LOGGED_IN|LEARN_MORE|SIGN_UP|PUBLIC_TO_EVERYONE|MUTUAL_FOLLOW_FRIENDS|FOLLOWER_OF_CREATOR|SELF_ONLY)/;
    expect(named.filter(({ word }) => !known.has(word) && !otherNames.test(word))).toEqual([]);
  });

  it('of decisions that the code refers to are documented', () => {
    const documented = [...textOf(DECISIONS).matchAll(/^\| (D\d+) \|/gm)].map(
      ([, number]) => number,
    );
    const sources = readdirSync(path.join(ROOT, 'src'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((file) => /\.(tsx?|graphql)$/.test(file) && !file.includes('prisma'));
    const named = new Set(
      sources.flatMap((file) => textOf(path.join('src', file)).match(/\bD[1-9]\d?\b/g) ?? []),
    );
    expect(named.size).toBeGreaterThan(30);
    expect([...named].filter((number) => !documented.includes(number))).toEqual([]);
  });
});
