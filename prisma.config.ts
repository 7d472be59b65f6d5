import { defineConfig } from 'prisma/config';

// `prisma generate` needs no schema engine but downloads one unless an executable is set; any executable will do.
// All other commands need the real engine, so the variable is set for `generate` only.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  ...(process.env.DATABASE_URL ? { datasource: { url: process.env.DATABASE_URL } } : {}),
});
