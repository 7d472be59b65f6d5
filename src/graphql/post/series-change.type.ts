import { Field, Int, ObjectType } from 'type-graphql';
import { DateTime } from '../schema/enums.js';

@ObjectType({ description: 'New time of an occurrence of a series.', simpleResolvers: true })
class MovedOccurrence {
  @Field(() => DateTime, { description: 'Publication time before the change.' }) from!: Date;
  @Field(() => DateTime, { description: 'Publication time after the change.' }) to!: Date;
}

@ObjectType('SeriesChange', {
  description: 'What a change does to the future occurrences of a series, by publication time.',
  simpleResolvers: true,
})
export class SeriesChangeObject {
  @Field(() => [DateTime], { description: 'Times of new occurrences.' }) made!: readonly Date[];
  @Field(() => [DateTime], { description: 'Times of occurrences that keep their time.' })
  kept!: readonly Date[];
  @Field(() => [MovedOccurrence], { description: 'Occurrences that get another time.' })
  moved!: readonly MovedOccurrence[];
  @Field(() => [DateTime], { description: 'Times of occurrences that are deleted.' })
  removed!: readonly Date[];
  @Field(() => Int, {
    description:
      'Number of occurrences that become independent posts because the recurrence rule is cleared.',
  })
  independent!: number;
}
