// fast-check, with a fixed seed unless a long suite runs: a run fails for what was changed, not by chance. Long
// suites (suite.ts) take a new seed each time. Tests can set another one.
const fc = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

fc.configureGlobal({ seed: globalThis.suite ? Date.now() : 1 });
module.exports = fc;
