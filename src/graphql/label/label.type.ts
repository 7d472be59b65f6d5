import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../connection/connection.type.js';
import { NodeInterface } from '../node/node.type.js';

@ObjectType('Label', {
  implements: NodeInterface,
  simpleResolvers: true,
  description: 'A label of the workspace; its name is unique there, ignoring case (D20).',
})
export class LabelObject {
  @Field(() => ID, { description: '`lbl_` and letters and digits.' }) id!: string;
  @Field(() => String, { description: 'Its name.' }) name!: string;
  @Field(() => String, { description: 'Its colour, `#rrggbb`.' }) color!: string;
}

@ObjectType({ description: 'A label in a list.', simpleResolvers: true })
class LabelEdge {
  @Field(() => String, { description: 'Where it stands: a value for `after` or `before`.' })
  cursor!: string;
  @Field(() => LabelObject, { description: 'The label.' }) node!: LabelObject;
}

@ObjectType({
  description: 'Labels of the workspace by name, ignoring case.',
  simpleResolvers: true,
})
export class LabelConnection {
  @Field(() => [LabelEdge], { description: 'The labels with their cursors.' }) edges!: LabelEdge[];
  @Field(() => [LabelObject], { description: 'The labels.' }) nodes!: LabelObject[];
  @Field(() => PageInfo, { description: 'Where this part lies in the whole.' }) pageInfo!: PageInfo;
  @Field(() => Int, {
    description: 'Labels of the workspace in all; costs nothing when not asked for.',
  })
  totalCount!: number;
}
