import { Field, ID, InterfaceType } from 'type-graphql';

/** Result of `node`. `__typename` resolves the interface to its object type. */
export interface NodeRecord {
  readonly __typename: string;
  readonly id: string;
}

@InterfaceType('Node', {
  description: 'Record with a globally unique ID that `node` resolves.',
  resolveType: ({ __typename }: NodeRecord) => __typename,
})
export class NodeInterface {
  @Field(() => ID, {
    description:
      'ID: 24 hexadecimal digits for a post, otherwise a prefix (`wks_`, `acc_`, `usr_`, `lbl_`, `med_`, `job_`, `ntf_`, `whk_`) followed by letters and digits.',
  })
  id!: string;
}
