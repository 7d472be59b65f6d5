import { defineConfig } from 'prisma/config';

// `prisma generate` needs no engine, yet looks for one and would download it: any executable ends that search.
// The other commands do need the engine, so it is set for this one alone.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
