import { suite } from '../setup/suite.js';
import { DOCUMENT_KINDS, type ForeignId } from './foreign-ids.js';
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

/**
 * Replaces the id that was sent, which messages may name in lower case as a server, and the ids of
 * labels that the request created.
 */
const withoutIds = (text: string, sent: string): string =>
  text
    .replaceAll(sent, '<id>')
    .replaceAll(sent.toLowerCase(), '<id>')
    .replace(/\blbl_\w{16}\b/g, '<label>');

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

const POST_KINDS: readonly string[] = [...DOCUMENT_KINDS, 'post by database ID'];

/** Whether the name of an input speaks of a kind of id, as `accountIds` of those of accounts. */
function namesKind(name: string, kind: string): boolean {
  if (/^Query\.nodes?\./.test(name)) return true;
  if (POST_KINDS.includes(kind)) return /(\bids?|_ids(\[\])?)$/.test(name);
  if (kind.startsWith('cursor')) return /\b(after|before)$/.test(name);
  return name.toLowerCase().includes(kind.split(' ', 1)[0]!);
}

interface DifferenceOptions<Input> {
  /** Sends an id in an input. */
  readonly send: (input: Input, id: string) => Promise<RecordedResponse>;
  /**
   * Whether the input expects ids. In `npm run test:system` such an input gets the kinds that its name speaks
   * of and every twelfth other kind, and each other input only every 48th kind, starting at a
   * different one.
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
    suite.length !== 'short' ||
    (inputIndex + kindIndex) % (takesIds(input) ? 12 : 48) === 0 ||
    namesKind(input.name, ids[kindIndex]!.kind);
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
