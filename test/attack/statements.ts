import pg from 'pg';

/** The statements by which a piece of work asks the database, whatever asks it: the pool, or Prisma over it. */
export async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
  const asked = jest.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    const statements = (asked.mock.calls as unknown[][]).map(([query]) => (typeof query === 'string' ? query : String((query as { text?: unknown }).text)));
    return { result, statements };
  } finally {
    asked.mockRestore();
  }
}
