// Starts the server of `prism proxy --errors` for the gateway at the given URL, and prints its own
// URL. Prism's command line
// would first write an example of each path, which changes the names of parameters such as
// `post_ids[]`.
import { fileURLToPath } from 'node:url';
import prismHttp from '@stoplight/prism-http';
import prismServer from '@stoplight/prism-http-server';
import { pino } from 'pino';

const DOCUMENT = fileURLToPath(new URL('../../src/rest/openapi.json', import.meta.url));
const [gateway] = process.argv.slice(2);

const server = prismServer.createServer(await prismHttp.getHttpOperationsFromSpec(DOCUMENT), {
  cors: false,
  components: { logger: pino({ level: 'silent' }) },
  config: {
    isProxy: true,
    upstream: new URL(gateway),
    errors: true,
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    mock: { dynamic: false },
  },
});
console.log(await server.listen(0, '127.0.0.1'));
