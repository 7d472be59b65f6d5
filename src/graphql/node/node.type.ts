import { Field, ID, InterfaceType } from 'type-graphql';

/** What `node` hands on, so that an abstract type finds its way back to its own. */
export interface Identified {
  readonly __typename: string;
  readonly id: string;
}

@InterfaceType('Node', {
  description: 'A record with an id that tells what it is of; `node` finds it again (D3).',
  resolveType: ({ __typename }: Identified) => __typename,
})
export class NodeInterface {
  @Field(() => ID, {
    description:
      'A post’s document id of 24 hex digits, or a prefix and letters and digits: `wks_`, `acc_`, `usr_`, `lbl_`, `med_`, `job_`, `ntf_` (D3).',
  })
  id!: string;
}
