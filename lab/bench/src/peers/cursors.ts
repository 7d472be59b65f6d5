/** Position of a post in the list: its time (null if undated) and its number. */
export interface CursorPosition {
  readonly at: Date | null;
  readonly id: number;
}

export const writeCursor = ({ at, id }: CursorPosition): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url');

export function readCursor(cursor: string | null | undefined): CursorPosition | null {
  if (!cursor) return null;
  const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
    string | null,
    number,
  ];
  return { at: at === null ? null : new Date(at), id };
}
