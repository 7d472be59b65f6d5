// Makes `require` load TypeScript: for jest's global setup, which does not map `.js` specifiers,
// and for child processes of tests (`node -r test/setup/typescript.cjs fixture.ts`), which then
// need no build.
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { transformSync } = require('@swc/core');

const RELATIVE_JS = /^\.{1,2}\/.*\.js$/;
const OPTIONS = {
  swcrc: false,
  module: { type: 'commonjs' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveSource(request, ...rest) {
  try {
    return resolve.call(this, request, ...rest);
  } catch (error) {
    if (!RELATIVE_JS.test(request)) throw error;
    return resolve.call(this, request.replace(/js$/, 'ts'), ...rest);
  }
};

Module._extensions['.ts'] = (module, filename) => {
  module._compile(
    transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename }).code,
    filename,
  );
};
