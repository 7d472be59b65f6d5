// A process that uses the embedded server of the folder in argv until it gets a message.
require('../setup/typescript.cjs');
const { openEmbeddedServer } = require('../../src/embedded-postgres/embedded-postgres.js');

const noLog = { info() {}, warn() {} };

async function run() {
  const { connectionString, isNew, release } = await openEmbeddedServer({
    dataDir: process.argv[2],
    log: noLog,
    settings: { fsync: 'off' },
  });
  process.send({ connectionString, isNew });
  process.once('message', () => {
    void release().then(() => process.disconnect());
  });
}

run().catch((error) => process.send({ problem: error.message }, () => process.disconnect()));
