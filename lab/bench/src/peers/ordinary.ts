import 'reflect-metadata';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { buildSchema } from 'type-graphql';
import { createPrisma } from './prisma-posts.js';
import { HOST, PORT, workspaceOf } from './environment.js';
import { createLoaders } from './ordinary-loaders.js';
import {
  MutationResolver,
  PostConnectionResolver,
  PostResolver,
  type OrdinaryContext,
} from './ordinary-resolvers.js';

/**
 * The ordinary stack: Apollo Server on Express, TypeGraphQL, Prisma and DataLoader, in production
 * mode, with prepared statements.
 */
const prisma = createPrisma();
const schema = await buildSchema({
  resolvers: [PostConnectionResolver, PostResolver, MutationResolver],
  validate: false,
});
const server = new ApolloServer<OrdinaryContext>({ schema });
await server.start();

const app = express();
app.use(
  '/graphql',
  express.json(),
  expressMiddleware(server, {
    context: ({ req }) =>
      Promise.resolve({
        prisma,
        workspace: workspaceOf(req.headers),
        loaders: createLoaders(prisma),
      }),
  }),
);
app.listen(PORT, HOST);
