import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLFieldConfig,
} from 'graphql';
import { Directive, Extensions } from 'type-graphql';
import type { Scope } from '../../domain/access/scopes.js';
import { enumName } from './enums.js';
import type { Post } from '../../domain/posts/post.js';
import type { PostWith } from '../../domain/posts/post-query.js';
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

/** Computation of a field from its object; undefined for a field that needs more. */
export const computeOf = ({ extensions }: FieldWithExtensions): Compute<unknown> | undefined =>
  extensions.compute as Compute<unknown> | undefined;
