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

/** What a key must have for a field: the outer list is OR, the inner AND; none is any key. */
export type ScopeRequirement = readonly (readonly Scope[])[];

interface Requirement {
  readonly scopes: ScopeRequirement;
  /** Whether the request must name a workspace of its user (D35). */
  readonly workspace: boolean;
}

/** Puts `@requiresScopes` on a field: in the printed schema, and as what is enforced when the field is asked for. */
export function RequiresScopes(
  scopes: ScopeRequirement,
  { workspace = true } = {},
): MethodDecorator {
  const printed = scopes.map((all) => `[${all.map(enumName).join(', ')}]`).join(', ');
  const requirement: Requirement = { scopes, workspace };
  return (target, name, descriptor) => {
    (Directive(`@requiresScopes(scopes: [${printed}])`) as MethodDecorator)(
      target,
      name,
      descriptor,
    );
    (Extensions({ requirement }) as MethodDecorator)(target, name, descriptor);
  };
}

const listOf = (type: GraphQLEnumType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));

/** The directive itself, over the schema's own Scope. */
export const requiresScopesDirective = (scope: GraphQLEnumType): GraphQLDirective =>
  new GraphQLDirective({
    name: 'requiresScopes',
    description:
      'What the key must have for this field: the outer list is OR, the inner AND; an empty one is any key. Otherwise MISSING_SCOPE (D5, D35).',
    locations: [DirectiveLocation.FIELD_DEFINITION],
    args: {
      scopes: {
        type: new GraphQLNonNull(new GraphQLList(listOf(scope))),
        description: 'Alternatives, each a list of scopes that are all needed.',
      },
    },
  });

type Field = GraphQLField<unknown, GatewayContext>;
/** What a field asks of the key before it does anything; undefined where nothing of its own. */
export const requirementOf = (field: Field): Requirement | undefined =>
  field.extensions.requirement as Requirement | undefined;
const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields());

/**
 * Makes every field with `@requiresScopes` refuse before it does anything: first the workspace, then the scope (D35).
 * @throws Error where a root field has none: such a schema does not build
 */
export function enforceScopes(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType()].filter((type) => !!type);
  const open = roots.flatMap((type) =>
    fieldsOf(type)
      .filter((field) => !requirementOf(field))
      .map((field) => `${type.name}.${field.name}`),
  );
  if (open.length > 0) throw new Error(`no @requiresScopes on ${open.join(', ')}`);
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    fieldsOf(type).forEach(guard);
}

function guard(field: Field): void {
  const requirement = requirementOf(field);
  if (!requirement) return;
  const answer = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    if (requirement.workspace) viewerOf(context.admission);
    assertScopes(context.admission.caller, requirement.scopes);
    return answer(source, args, context, info);
  };
}
