import { Field, InputType, ObjectType } from 'type-graphql';
import type { Refusal } from '../../domain/errors.js';
import { toInputError, UserErrorObject } from '../post/user-error.js';
import { CLIENT_MUTATION_ID, optional, RETURNED_MUTATION_ID } from './descriptions.js';

/** What the inputs of mutations have. */
@InputType()
export abstract class MutationInput {
  @Field(() => String, optional(CLIENT_MUTATION_ID)) clientMutationId?: string | null;
}

/** What the results of mutations have. */
@ObjectType({ simpleResolvers: true })
export abstract class MutationPayload {
  @Field(() => [UserErrorObject], {
    description: 'Reasons why the change was rejected. Empty if it succeeded.',
  })
  userErrors!: readonly UserErrorObject[];
  @Field(() => String, RETURNED_MUTATION_ID) clientMutationId!: string | null;
}

/** The payload of a mutation: the result, or the reasons why there is none. */
export function toPayload<Result extends object>(
  outcome:
    | ({ readonly kind: 'done' } & Result)
    | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] },
  { clientMutationId = null }: MutationInput,
): Partial<Result> & { userErrors: UserErrorObject[]; clientMutationId: string | null } {
  if (outcome.kind === 'done') return { ...outcome, userErrors: [], clientMutationId };
  const userErrors = outcome.refusals.map(toInputError);
  return { ...({} as Partial<Result>), userErrors, clientMutationId };
}
