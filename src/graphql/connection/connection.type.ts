import { Field, ObjectType } from 'type-graphql';

@ObjectType({
  description: 'Pagination details of a page, as in the Relay specification.',
  simpleResolvers: true,
})
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more items follow this page.' })
  hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether items precede this page.' })
  hasPreviousPage!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first item. Null if the page is empty.',
  })
  startCursor!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last item. Null if the page is empty.',
  })
  endCursor!: string | null;
}
