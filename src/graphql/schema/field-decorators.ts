import {
  defaultFieldResolver,
  DirectiveLocation,
  GraphQLDirective,
  GraphQLList,
  GraphQLNonNull,
  isObjectType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';
import { Directive, Extensions } from 'type-graphql';
import { assertScopes, viewerOf, type Scope } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import { enumName } from './enums.js';
import type { Post } from '../../domain/posts/post.js';
import { ALWAYS_READ_FIELDS, type PostWith } from '../../domain/posts/post-query.js';
import type { GatewayContext } from '../context.js';

/**
 * Scopes that a field requires: the outer list is OR, the inner lists are AND. An empty outer list
 * accepts any key.
 */
export type ScopeRequirement = readonly (readonly Scope[])[];

export interface FieldRequirement {
  readonly scopes: ScopeRequirement;
  /** Whether the request must name a workspace that the user is a member of (D35). */
  readonly workspace: boolean;
}

/**
 * Adds `@requiresScopes` to a field: as a directive in the printed schema, and as the requirement
 * that its resolver checks.
 */
export function RequiresScopes(
  scopes: ScopeRequirement,
  { workspace = true } = {},
): MethodDecorator {
  const argument = scopes.map((scopeList) => `[${scopeList.map(enumName).join(', ')}]`).join(', ');
  const requirement: FieldRequirement = { scopes, workspace };
  return (target, name, descriptor) => {
    (Directive(`@requiresScopes(scopes: [${argument}])`) as MethodDecorator)(
      target,
      name,
      descriptor,
    );
    (Extensions({ requirement, resolver: target.constructor }) as MethodDecorator)(
      target,
      name,
      descriptor,
    );
  };
}

const listOf = (type: GraphQLEnumType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

/** Definition of the directive, with the Scope enum of the schema. */
export const requiresScopesDirective = (scope: GraphQLEnumType): GraphQLDirective =>
  new GraphQLDirective({
    name: 'requiresScopes',
    description:
      'Scopes that the API key needs for this field: all scopes of at least one inner list. If the outer list is empty, any key is accepted. Otherwise, the field fails with MISSING_SCOPE.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      scopes: {
        type: new GraphQLNonNull(new GraphQLList(listOf(scope))),
        description: 'Alternatives, each a list of scopes that are all required.',
      },
    },
  });

/** The resolver class of a field that has a requirement. */
export const resolverOf = ({
  extensions,
}: Pick<GraphQLFieldConfig<unknown, unknown>, 'extensions'>): Function | undefined =>
  extensions?.resolver as Function | undefined;

/** Requirement of a field; undefined if it has none besides that of its root field. */
export const requirementOf = ({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): FieldRequirement | undefined =>
  extensions.requirement as FieldRequirement | undefined;

/**
 * Computes a field from its object. Without a context parameter, the value is the same for every
 * viewer.
 */
export type Compute<S = never> = (source: S, context: GatewayContext) => unknown;

type FieldWithExtensions = Pick<GraphQLField<unknown, unknown>, 'extensions'>;
type FieldDecorator = MethodDecorator & PropertyDecorator;

/**
 * Lists the properties of Post that a GraphQL field needs besides ALWAYS_READ_FIELDS. Look-ahead
 * selects them, and the resolver of the field checks whether the row has them.
 */
export const DependsOn = (...fields: (keyof Post)[]): FieldDecorator =>
  Extensions({ dependencies: fields }) as FieldDecorator;

/** Marks a field that is computed from its object. */
export const Computed = <S>(compute: Compute<S>): PropertyDecorator =>
  Extensions({ compute }) as PropertyDecorator;

/**
 * Marks a field that is computed from a post, and lists the properties that it needs besides
 * ALWAYS_READ_FIELDS.
 */
export const ComputedFromPost = <F extends keyof Post = never>(
  compute: Compute<PostWith<F>>,
  ...fields: F[]
): PropertyDecorator => Extensions({ compute, dependencies: fields }) as PropertyDecorator;

/** Properties of Post that a field depends on; empty if ALWAYS_READ_FIELDS suffice. */
export const dependenciesOf = ({ extensions }: FieldWithExtensions): readonly (keyof Post)[] =>
  (extensions.dependencies as readonly (keyof Post)[] | undefined) ?? [];

/** Marks a field that takes about as long to compute as this many others (document/limits.ts). */
export const Costs = (cost: number): FieldDecorator => Extensions({ cost }) as FieldDecorator;

/** Computation of a field from its object; undefined for a field that needs more. */
export const computeOf = ({ extensions }: FieldWithExtensions): Compute<unknown> | undefined =>
  extensions.compute as Compute<unknown> | undefined;

type Field = GraphQLField<unknown, GatewayContext>;
type Resolver = GraphQLFieldResolver<unknown, GatewayContext>;

/**
 * Completes the resolver of every field. Each part runs only if the field has it, in this order:
 *
 * 1. `@RequiresScopes`: checks the workspace, then the scopes (D35). First, so that a request that
 *    is not allowed causes no query.
 * 2. `@DependsOn`: loads the complete post if the row of the object lacks a property, in one batch
 *    per request, so that the value can be computed.
 * 3. The value: the function of `@Computed`, the method of a resolver class, or the property of the
 *    object. The function and the property are also recorded for compiled execution.
 *
 * @throws Error if a root field has no `@requiresScopes`, or if a property of Post is not in every
 * row and has no `@DependsOn`
 */
export function completeResolvers(schema: GraphQLSchema): void {
  const roots = new Set([
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()) as Field[]) {
      if (roots.has(type) && !requirementOf(field))
        throw new Error(`Missing @requiresScopes on ${type.name}.${field.name}`);
      if (type.name === 'Post') assertInRow(field);
      completeResolver(field);
    }
  }
}

/** @throws Error for a property that is not in every row and has no @DependsOn */
function assertInRow(field: Field): void {
  const isAlwaysRead = (ALWAYS_READ_FIELDS as readonly string[]).includes(field.name);
  const isProperty = !field.resolve && !computeOf(field);
  if (isProperty && !isAlwaysRead && dependenciesOf(field).length === 0)
    throw new Error(`Post.${field.name} is not in every row and needs @DependsOn`);
}

function completeResolver(field: Field): void {
  const [compute, requirement, dependencies] = [
    computeOf(field),
    requirementOf(field),
    dependenciesOf(field),
  ];
  if (compute) field.resolve = (source, _args, context) => compute(source, context);
  else if (!field.resolve)
    field.extensions = { ...field.extensions, compute: readProperty(field.name) };
  if (dependencies.length > 0)
    field.resolve = loadDependencies(dependencies, field.resolve ?? defaultFieldResolver);
  if (requirement)
    field.resolve = requireScopes(requirement, field.resolve ?? defaultFieldResolver);
  if (requirement && field.subscribe) field.subscribe = requireScopes(requirement, field.subscribe);
}

/** Reads a property like graphql-js: methods are called. */
const readProperty =
  (name: string): Compute<unknown> =>
  (source) => {
    const value = (source as Record<string, unknown>)[name];
    return typeof value === 'function' ? (source as Record<string, () => unknown>)[name]!() : value;
  };

const loadDependencies =
  (dependencies: readonly (keyof Post)[], resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    const post = source as Post;
    return dependencies.every((name) => post[name] !== undefined)
      ? resolve(post, args, context, info)
      : context.loaders.post
          .load(post.databaseId)
          .then((loaded) => resolve(assertFound(loaded), args, context, info));
  };

/** @throws GatewayError POST_NOT_FOUND if the post was deleted between two reads of the request */
function assertFound(post: Post | null): Post {
  if (!post) throw new GatewayError('POST_NOT_FOUND');
  return post;
}

const requireScopes =
  ({ workspace, scopes }: FieldRequirement, resolve: Resolver): Resolver =>
  (source, args, context, info) => {
    if (workspace) viewerOf(context.authentication);
    assertScopes(context.authentication.caller, scopes);
    return resolve(source, args, context, info);
  };
