import {
  getVariableValues,
  Kind,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { GatewayContext } from '../context.js';
import { JsonText } from './json-text.js';
import { NotPlanned } from './not-planned.js';
import { compilePlan, runPlan, type Plan } from './plan.js';

/** An operation that was parsed and found valid, as it was asked. */
interface Asked {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** As they were sent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GatewayContext;
}

/** Answers an operation by its plan; null where it has none, or it met anything but a plain answer: then graphql-js executes it. */
export type PlannedAnswers = (asked: Asked) => Promise<JsonText | null>;

/** The forms of one operation, by the values of the variables that @include and @skip ask; null for one that cannot be planned. */
interface Forms {
  readonly deciding: readonly string[];
  readonly plans: Map<string, Plan | null>;
}

/** That of an operation without deciding variables. */
const ONLY_FORM = '';

/** Each deciding variable doubles them: beyond so many, graphql-js does it. */
const MOST_FORMS = 16;

/**
 * Makes the planned way to an answer. An operation is compiled once for as long as its document is remembered: who asks
 * its root fields, and how what they give is written. Only what can go wrong in no way but one is planned: on any
 * refusal, error or doubt the whole is graphql-js's, which finds what the root fields gave already.
 */
export function createPlannedAnswers(schema: GraphQLSchema): PlannedAnswers {
  const known = new WeakMap<OperationDefinitionNode, Forms>();

  return async ({ document, operation, variables, context }) => {
    const forms = known.get(operation) ?? {
      deciding: decidingVariables(document),
      plans: new Map<string, Plan | null>(),
    };
    known.set(operation, forms);
    if (forms.plans.get(ONLY_FORM) === null) return null; // before its variables are read: graphql-js reads them too
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables, {
      maxErrors: 1,
    });
    if (!coerced) return null;
    const form = forms.deciding.map((name) => String(coerced[name])).join();
    let plan = forms.plans.get(form);
    if (plan === undefined) {
      if (forms.plans.size >= MOST_FORMS) return null;
      plan = compilePlan({
        schema,
        operation,
        fragments: fragmentsOf(document),
        variableValues: coerced,
      });
      forms.plans.set(form, plan);
    }
    try {
      return plan && new JsonText(await runPlan(plan, coerced, context));
    } catch (error) {
      if (error instanceof NotPlanned) forms.plans.set(form, null); // it would meet the same again
      return null;
    }
  };
}

function decidingVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (node) =>
      node.arguments?.forEach(({ value }) => {
        if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      }),
  });
  return [...names];
}

const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [],
    ),
  );
