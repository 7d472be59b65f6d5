// A process that uses the embedded server of the folder in argv until it is told to leave.
require('../setup/typescript.cjs');
const { openEmbedded } = require('../../src/embedded-postgres/embedded-postgres.js');

const quiet = { info() {}, warn() {} };
openEmbedded({ dataDir: process.argv[2], log: quiet, settings: { fsync: 'off' } }).then(
  ({ connectionString, fresh, release }) => {
    process.send({ connectionString, fresh });
    process.once('message', () => release().then(() => process.disconnect()));
  },
  (error) => process.send({ problem: error.message }, () => process.disconnect()),
);
