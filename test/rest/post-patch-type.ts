import 'reflect-metadata';
import type { GraphQLInputObjectType } from 'graphql';
import { buildSchemaSync, Query, Resolver } from 'type-graphql';
import { PostPatchInput } from '../../src/graphql/post/post-patch.input.js';

@Resolver()
class Root {
  @Query(() => String) hello(): string { return ''; }
}
const schema = buildSchemaSync({ resolvers: [Root], orphanedTypes: [PostPatchInput], validate: false });
export const postPatch = schema.getType('PostPatch') as GraphQLInputObjectType;
