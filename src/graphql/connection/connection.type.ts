import { Field, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Where a part of a list lies in the whole (Relay connections).',
  simpleResolvers: true,
})
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether items follow the last one here.' })
  hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether items precede the first one here.' })
  hasPreviousPage!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item; null where there is none.',
  })
  startCursor!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last item; null where there is none.',
  })
  endCursor!: string | null;
}
