import { ArgsType, Field, Int } from 'type-graphql';
import { GatewayError, type Problem } from '../../domain/errors.js';
import { readCursor, writeCursor, type Place } from './cursor.js';
import { optional } from '../optional.js';

const SIZE =
  '1 to 100; 20 where neither `first` nor `last` is given. Anything else is BAD_USER_INPUT.';

@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, optional(`So many from the start: ${SIZE}`)) first?: number | null;
  @Field(
    () => String,
    optional(
      'Only what follows this cursor; one that was changed or is of another order is BAD_USER_INPUT.',
    ),
  )
  after?: string | null;
  @Field(() => Int, optional(`So many from the end: ${SIZE} Not together with \`first\`.`)) last?:
    number | null;
  @Field(
    () => String,
    optional(
      'Only what precedes this cursor; one that was changed or is of another order is BAD_USER_INPUT.',
    ),
  )
  before?: string | null;
}

/** How many items a part of a list has when nobody says, and at most. */
export const PAGE_SIZE = { default: 20, max: 100 } as const;

/** The order of a list: a name of its own, so that cursors of another are known, and how a place in it is read. */
export interface ListOrder<P> {
  readonly name: string;
  readonly toPosition: (place: Place) => P | null;
}
interface Window<P> {
  readonly limit: number;
  readonly fromEnd: boolean;
  readonly after?: P;
  readonly before?: P;
}

/** The part of a list that the arguments ask for. @throws GatewayError BAD_USER_INPUT with every problem */
export function readWindow<P>(
  { first, last, after, before }: ConnectionArgs,
  { name, toPosition }: ListOrder<P>,
): Window<P> {
  const problems: Problem[] = [];
  const size = (
    argument: 'first' | 'last',
    value: number | null | undefined,
  ): number | undefined => {
    if (value !== undefined && value !== null && (value < 1 || value > PAGE_SIZE.max)) {
      problems.push({
        path: [argument],
        message: `${argument} must be 1 to ${PAGE_SIZE.max}; it is ${value}.`,
      });
    }
    return value ?? undefined;
  };
  const position = (
    argument: 'after' | 'before',
    cursor: string | null | undefined,
  ): P | undefined => {
    if (cursor === undefined || cursor === null) return undefined;
    const place = readCursor(name, cursor);
    const found = place && toPosition(place);
    if (!found)
      problems.push({
        path: [argument],
        message: `${argument} must be a cursor of this list in this order, unchanged.`,
      });
    return found ?? undefined;
  };
  const [fromStart, fromEnd] = [size('first', first), size('last', last)];
  const [start, end] = [position('after', after), position('before', before)];
  if (fromStart !== undefined && fromEnd !== undefined)
    problems.push({ path: ['last'], message: 'last cannot be given together with first.' });
  if (problems.length > 0) throw badInput(problems);
  return {
    limit: fromStart ?? fromEnd ?? PAGE_SIZE.default,
    fromEnd: fromEnd !== undefined,
    ...(start && { after: start }),
    ...(end && { before: end }),
  };
}

/** Malformed input with every problem, in the message and by path. */
export const badInput = (problems: readonly Problem[]): GatewayError =>
  new GatewayError('BAD_USER_INPUT', problems.map(({ message }) => message).join(' '), problems);

interface Page<T> {
  readonly items: readonly T[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** A page as a Relay connection; functions are called only where the field is selected. */
export function toConnection<T>(
  { items, hasNextPage, hasPreviousPage }: Page<T>,
  order: Pick<ListOrder<never>, 'name'>,
  placeOf: (item: T) => Place,
) {
  const cursorAt = (index: number): string | null => {
    const item = items.at(index);
    return item === undefined ? null : writeCursor(order.name, placeOf(item));
  };
  return {
    nodes: items,
    edges: () => items.map((node) => ({ node, cursor: writeCursor(order.name, placeOf(node)) })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: () => cursorAt(0),
      endCursor: () => cursorAt(-1),
    },
  };
}
