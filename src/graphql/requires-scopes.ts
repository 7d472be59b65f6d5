import {
  defaultFieldResolver,
  DirectiveLocation,
  GraphQLDirective,
  GraphQLList,
  GraphQLNonNull,
  isObjectType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { Directive, Extensions } from 'type-graphql';
import type { Scope } from '../domain/access/scopes.js';
import { assertScopes, viewerOf } from '../domain/access/identity.js';
import type { GatewayContext } from './context.js';
import { enumName } from './enums.js';

/**
 * Scopes that a field requires: the outer list is OR, the inner lists are AND. An empty outer list
 * accepts any key.
 */
export type ScopeRequirement = readonly (readonly Scope[])[];

interface FieldRequirement {
  readonly scopes: ScopeRequirement;
  /** Whether the request must name a workspace that the user is a member of (D35). */
  readonly workspace: boolean;
}

/**
 * Adds `@requiresScopes` to a field: as a directive in the printed schema, and as the requirement
 * that `enforceScopes` checks.
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
    (Extensions({ requirement }) as MethodDecorator)(target, name, descriptor);
  };
}

const listOf = (type: GraphQLEnumType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

/** Definition of the directive, with the Scope enum of the schema. */
export const requiresScopesDirective = (scope: GraphQLEnumType): GraphQLDirective =>
  new GraphQLDirective({
    name: 'requiresScopes',
    description:
      'Scopes that the API key needs for this field: the outer list is OR, the inner lists are AND, an empty list accepts any key. Otherwise the field fails with MISSING_SCOPE.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      scopes: {
        type: new GraphQLNonNull(new GraphQLList(listOf(scope))),
        description: 'Alternatives, each a list of scopes that are all required.',
      },
    },
  });

type Field = GraphQLField<unknown, GatewayContext>;
/** Requirement of a field; undefined if it has none besides that of its root field. */
export const requirementOf = (field: Field): FieldRequirement | undefined =>
  field.extensions.requirement as FieldRequirement | undefined;
const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());

/**
 * Wraps the resolver of every field with `@requiresScopes`: checks the workspace, then the scopes,
 * then resolves (D35).
 * @throws Error if a root field has no `@requiresScopes`
 */
export function enforceScopes(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => !!type);
  const unguarded = roots.flatMap((type) =>
    fieldsOf(type)
      .filter((field) => !requirementOf(field))
      .map((field) => `${type.name}.${field.name}`),
  );
  if (unguarded.length > 0) throw new Error(`Missing @requiresScopes on ${unguarded.join(', ')}`);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    fieldsOf(type).forEach(guardField);
}

function guardField(field: Field): void {
  const requirement = requirementOf(field);
  if (!requirement) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    if (requirement.workspace) viewerOf(context.authentication);
    assertScopes(context.authentication.caller, requirement.scopes);
    return resolve(source, args, context, info);
  };
}
