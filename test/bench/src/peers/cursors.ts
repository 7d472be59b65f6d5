/** Where a post stands in the list: its time (null where undated) and its number. */
export interface Place {
  readonly at: Date | null;
  readonly id: number;
}

export const writeCursor = ({ at, id }: Place): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

export function readCursor(cursor: string | null | undefined): Place | null {
  if (!cursor) return null;
  const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
    string | null,
    number,
  ];
  return { at: at === null ? null : new Date(at), id };
}
