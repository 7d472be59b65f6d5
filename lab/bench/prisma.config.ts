import { defineConfig } from 'prisma/config';

// `prisma generate` needs no engine, yet looks for one and would download it: any executable ends
// that search.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'generated/schema.prisma' });
