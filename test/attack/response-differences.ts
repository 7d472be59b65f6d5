import { suite } from '../setup/suite.js';
import type { ForeignId } from './foreign-ids.js';
import type { ForeignWorkspace } from './foreign-workspace.js';

/**
 * A response without the parts that differ between repetitions of a request, and the number of SQL
 * statements.
 */
export interface RecordedResponse {
  readonly text: string;
  readonly statements: number;
  readonly isInternalError: boolean;
}

const VOLATILE_HEADERS = new Set(['date', 'x-request-id', 'x-ratelimit-remaining']);
/** The headers that are equal in all responses to the same request. */
export const stableHeaders = (headers: Iterable<[string, string]>): [string, string][] =>
  [...headers].filter(([name]) => !VOLATILE_HEADERS.has(name));

/** Replaces the id that was sent, and the ids of labels that the request created. */
const withoutIds = (text: string, sent: string): string =>
  text.replaceAll(sent, '<id>').replace(/\blbl_\w{16}\b/g, '<label>');

/**
 * Differences between the responses to a foreign id and to an unknown one, each prefixed with the
 * name.
 */
async function differences(
  name: string,
  { kind, foreign, unknown, findLeaks }: ForeignId & Pick<ForeignWorkspace, 'findLeaks'>,
  send: (id: string) => Promise<RecordedResponse>,
): Promise<string[]> {
  const sendBoth = async (): Promise<readonly [RecordedResponse, RecordedResponse]> => [
    await send(foreign),
    await send(unknown),
  ];
  const first = await sendBoth();
  // The first request may fill caches and then needs more statements, whichever id it has.
  const [toForeign, toUnknown] =
    first[0].statements === first[1].statements ? first : await sendBoth();
  const isTextDifferent =
    withoutIds(toForeign.text, foreign) !== withoutIds(toUnknown.text, unknown);
  return [
    ...findLeaks(toForeign.text, foreign).map((leak) => `${name}: ${kind}: shows ${leak}`),
    ...(isTextDifferent ? [`${name}: ${kind}`] : []),
    ...(!isTextDifferent && toForeign.statements !== toUnknown.statements
      ? [`${name}: ${kind}: ${toForeign.statements} statements, not ${toUnknown.statements}`]
      : []),
    ...(toForeign.isInternalError || toUnknown.isInternalError
      ? [`${name}: ${kind}: internal error`]
      : []),
  ];
}

interface DifferenceOptions<Input> {
  /** Sends an id in an input. */
  readonly send: (input: Input, id: string) => Promise<RecordedResponse>;
  /**
   * Whether the input expects ids. In `npm test` each other input gets only every eighth kind of
   * id, starting at a different one.
   */
  readonly takesIds: (input: Input) => boolean;
}

/** The differences in all inputs, for every kind of id. */
export async function findDifferences<Input extends { readonly name: string }>(
  inputs: readonly Input[],
  { ids, findLeaks }: ForeignWorkspace,
  { send, takesIds }: DifferenceOptions<Input>,
): Promise<string[]> {
  const isIncluded = (input: Input, inputIndex: number, kindIndex: number): boolean =>
    suite.length !== 'short' || takesIds(input) || (inputIndex + kindIndex) % 8 === 0;
  const found: string[] = [];
  for (const [inputIndex, input] of inputs.entries()) {
    for (const [kindIndex, id] of ids.entries())
      if (isIncluded(input, inputIndex, kindIndex))
        found.push(
          ...(await differences(input.name, { ...id, findLeaks }, (value) => send(input, value))),
        );
  }
  return found.sort();
}
