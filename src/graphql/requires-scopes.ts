import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLEnumType,
  type GraphQLField,
} from 'graphql';
import { Directive, Extensions } from 'type-graphql';
import type { Scope } from '../domain/access/scopes.js';
import { enumName } from './enums.js';

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
      'Scopes that the API key needs for this field: all scopes of at least one inner list. If the outer list is empty, any key is accepted. Otherwise, the field fails with MISSING_SCOPE.',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      scopes: {
        type: new GraphQLNonNull(new GraphQLList(listOf(scope))),
        description: 'Alternatives, each a list of scopes that are all required.',
      },
    },
  });

/** Requirement of a field; undefined if it has none besides that of its root field. */
export const requirementOf = ({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'extensions'>): FieldRequirement | undefined =>
  extensions.requirement as FieldRequirement | undefined;
