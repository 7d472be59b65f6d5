import './with-resolvers.js'; // before Grafast
import { createServer } from 'node:http';
import { grafserv } from 'grafserv/node';
import { postgraphile } from 'postgraphile';
import { HOST, PORT } from './environment.js';
import { preset } from './postgraphile-preset.js';

/** PostGraphile 5 on Grafserv, as its documentation recommends for production. */
const instance = postgraphile(preset).createServ(grafserv);
const server = createServer();
await instance.addTo(server);
server.listen(PORT, HOST);
