import SchemaBuilder from '@pothos/core';
import PrismaPlugin from '@pothos/plugin-prisma';
import type PrismaTypes from '../generated/pothos.js';
import { getDatamodel } from '../generated/pothos.js';
import { createPrisma } from './prisma-posts.js';
import { STATES } from './states.js';

export const prisma = createPrisma();
export const builder = new SchemaBuilder<{
  PrismaTypes: PrismaTypes;
  Context: { workspace: string };
  Scalars: { DateTime: { Input: Date; Output: Date }; ID: { Input: string; Output: string } };
}>({ plugins: [PrismaPlugin], prisma: { client: prisma, dmmf: getDatamodel() } });

builder.scalarType('DateTime', {
  serialize: (value) => value.toISOString(),
  parseValue: (value) => new Date(String(value)),
});
const enumType = (name: string, values: readonly string[]) =>
  builder.enumType<string, readonly string[]>(name, { values });
/** The database has enum values in lower case, the schema in upper case. */
const storedEnumType = (name: string, values: readonly string[]) =>
  builder.enumType<string, Record<string, { value: string }>>(name, {
    values: Object.fromEntries(values.map((value) => [value.toUpperCase(), { value }])) as never,
  });
export const PostState = enumType('PostState', [...new Set(Object.values(STATES))]);
export const PostStateFilter = enumType('PostStateFilter', ['SCHEDULED', 'RECYCLING']);
export const ShareMode = enumType('ShareMode', ['DRAFT', 'SCHEDULE', 'SHARE_NOW']);
export const PostType = storedEnumType('PostType', [
  'status',
  'link',
  'photo',
  'gif',
  'video',
  'reel',
  'story',
  'short',
  'poll',
  'document',
  'carousel',
  'article',
]);
export const Network = storedEnumType('Network', [
  'facebook',
  'instagram',
  'threads',
  'tiktok',
  'twitter',
  'mastodon',
  'bluesky',
  'linkedin',
  'pinterest',
  'google',
  'youtube',
  'wordpress',
  'telegram',
]);
