import { Field, ObjectType, ArgsType, Int } from 'type-graphql';
import { GatewayError, type Problem } from '../../domain/errors.js';
import { readCursor, writeCursor, type CursorKey, type ListOrder } from './cursor.js';
import { optional } from './descriptions.js';

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

const SIZE_RANGE =
  '1 to 100, 20 if neither `first` nor `last` is given. Other values are rejected with BAD_USER_INPUT.';

@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, optional(`Number of items from the start of the list: ${SIZE_RANGE}`)) first?:
    number | null;
  @Field(
    () => String,
    optional(
      'Returns items after this cursor. A cursor that was modified or belongs to another order is rejected with BAD_USER_INPUT.',
    ),
  )
  after?: string | null;
  @Field(
    () => Int,
    optional(
      `Number of items from the end of the list: ${SIZE_RANGE} Cannot be combined with \`first\`.`,
    ),
  )
  last?: number | null;
  @Field(
    () => String,
    optional(
      'Returns items before this cursor. A cursor that was modified or belongs to another order is rejected with BAD_USER_INPUT.',
    ),
  )
  before?: string | null;
}

/** Items per page: default and maximum. */
export const PAGE_SIZE = { default: 20, max: 100 } as const;

/** The part of a list that a page contains. */
interface Window<P> {
  readonly limit: number;
  readonly fromEnd: boolean;
  readonly after?: P;
  readonly before?: P;
}

/** Reads pagination arguments. @throws GatewayError BAD_USER_INPUT with every problem */
export function readWindow<P>(
  { first, last, after, before }: ConnectionArgs,
  { name, toPosition }: ListOrder<P>,
): Window<P> {
  const problems: Problem[] = [];
  const readSize = (
    argument: 'first' | 'last',
    value: number | null | undefined,
  ): number | undefined => {
    if (value !== undefined && value !== null && (value < 1 || value > PAGE_SIZE.max)) {
      problems.push({
        path: [argument],
        message: `${argument} must be 1 to ${PAGE_SIZE.max}, got ${value}.`,
      });
    }
    return value ?? undefined;
  };
  const readPosition = (
    argument: 'after' | 'before',
    cursor: string | null | undefined,
  ): P | undefined => {
    if (cursor === undefined || cursor === null) return undefined;
    const key = readCursor(name, cursor);
    const position = key && toPosition(key);
    if (!position)
      problems.push({
        path: [argument],
        message: `${argument} must be an unmodified cursor of this list in this order.`,
      });
    return position ?? undefined;
  };
  const [fromStart, fromEnd] = [readSize('first', first), readSize('last', last)];
  const [start, end] = [readPosition('after', after), readPosition('before', before)];
  if (fromStart !== undefined && fromEnd !== undefined)
    problems.push({ path: ['last'], message: 'last cannot be combined with first.' });
  if (problems.length > 0) throw badUserInput(problems);
  return {
    limit: fromStart ?? fromEnd ?? PAGE_SIZE.default,
    fromEnd: fromEnd !== undefined,
    ...(start && { after: start }),
    ...(end && { before: end }),
  };
}

/** Creates a BAD_USER_INPUT error that lists every problem, in its message and by path. */
export const badUserInput = (problems: readonly Problem[]): GatewayError =>
  new GatewayError('BAD_USER_INPUT', problems.map(({ message }) => message).join(' '), problems);

interface Page<T> {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** Converts a page to a Relay connection. Functions are called only if the field is selected. */
export function toConnection<T>(
  { items, hasNextPage, hasPreviousPage }: Page<T>,
  order: Pick<ListOrder<never>, 'name'>,
  toCursorKey: (item: T) => CursorKey,
) {
  const cursorAt = (index: number): string | null => {
    const item = items.at(index);
    return item === undefined ? null : writeCursor(order.name, toCursorKey(item));
  };
  return {
    nodes: items,
    edges: () =>
      items.map((node) => ({ node, cursor: writeCursor(order.name, toCursorKey(node)) })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: () => cursorAt(0),
      endCursor: () => cursorAt(-1),
    },
  };
}
