import { createServer, type IncomingMessage } from 'node:http';
import { useGraphQlJit } from '@envelop/graphql-jit';
import { createYoga } from 'graphql-yoga';
import { HOST, PORT, workspaceOf } from './environment.js';
import { schema } from './yoga-schema.js';

/**
 * GraphQL Yoga with Pothos on Prisma, with its parser and validation caches and the JIT plugin of
 * Envelop.
 */
const yoga = createYoga<{ req: IncomingMessage }>({
  schema,
  graphiql: false,
  landingPage: false,
  logging: false,
  maskedErrors: false,
  plugins: [useGraphQlJit()],
  context: ({ req }) => ({ workspace: workspaceOf(req.headers) }),
});
createServer((request, response) => void yoga(request, response)).listen(PORT, HOST);
