import { Field, ID, InputType, Int } from 'type-graphql';
import { optional } from '../optional.js';
import { ActionOptions } from '../post/actions/action-inputs.js';

@InputType({ description: 'Input of `revertPost`.' })
export class RevertPostInput extends ActionOptions {
  @Field(() => ID, { description: 'ID or database ID of the post.' }) id!: string;
  @Field(() => Int, {
    description: 'Version whose values are restored. `history` lists the versions.',
  })
  toVersion!: number;
  @Field(
    () => Int,
    optional(
      'Version of the post that the change is based on. If the post has another version, the change is rejected with CONFLICT.',
    ),
  )
  expectedVersion?: number | null;
}
