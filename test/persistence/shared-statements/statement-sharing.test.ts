import pg from 'pg';
import { GatewayError } from '../../../src/domain/errors.js';
import { waitFor } from '../../fixtures/wait-for.js';
import { shareStatements } from '../../../src/persistence/shared-statements/statement-sharing.js';

/** A statement that ends when it is told to. */
function aStatement(options: { maxCalls?: number; groupOf?: (call: string) => string } = {}) {
  const statements: {
    calls: readonly string[];
    end(result: (call: string) => string | undefined): void;
    fail(error: Error): void;
  }[] = [];
  const alone: string[] = [];
  const share = shareStatements<string, string>({
    ...options,
    together: (calls) =>
      new Promise((resolve, reject) => {
        statements.push({
          calls,
          end: (result) => resolve(calls.map(result)),
          fail: reject,
        });
      }),
    async alone(call) {
      alone.push(call);
      if (call === 'bad') throw new Error('refused');
      return `${call} alone`;
    },
  });
  return { share, statements, alone };
}
/** The answer of PostgreSQL to a statement that it refuses. */
const refusal = (code = '23505'): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('a row of it is wrong', 0, 'error'), { code });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const inCapitals = (call: string): string => call.toUpperCase();

test('a lone call starts a statement at once', async () => {
  const { share, statements } = aStatement();
  const result = share('a');
  await turn();
  expect(statements.map(({ calls }) => calls)).toEqual([['a']]);
  statements[0]!.end(inCapitals);
  expect(await result).toBe('A');
});

test('calls of one turn share a statement; those that arrive while it runs share the next one', async () => {
  const { share, statements } = aStatement();
  const first = ['a', 'b'].map(share);
  await turn();
  const second = ['c', 'd', 'e'].map(share);
  await turn();
  expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b']]);
  statements[0]!.end(inCapitals);
  expect(await Promise.all(first)).toEqual(['A', 'B']);
  await turn();
  expect(statements.map(({ calls }) => calls)).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ]);
  statements[1]!.end(inCapitals);
  expect(await Promise.all(second)).toEqual(['C', 'D', 'E']);
});

test('a statement has at most 100 calls', async () => {
  const { share, statements } = aStatement();
  const results = Array.from({ length: 101 }, (_, n) => share(`${n}`));
  await turn();
  expect(statements[0]!.calls).toHaveLength(100);
  statements[0]!.end(inCapitals);
  await turn();
  expect(statements[1]!.calls).toEqual(['100']);
  statements[1]!.end(inCapitals);
  expect(await Promise.all(results)).toHaveLength(101);
});

test('a call that is left out runs alone, and the next statement does not wait for it', async () => {
  const { share, statements, alone } = aStatement();
  const [locked, free] = [share('locked'), share('free')];
  await turn();
  statements[0]!.end((call) => (call === 'locked' ? undefined : 'ok'));
  expect(await free).toBe('ok');
  expect(await locked).toBe('locked alone');
  expect(alone).toEqual(['locked']);
});

test('if a statement is refused, each of its calls is judged on its own', async () => {
  const { share, statements, alone } = aStatement();
  const [good, bad] = [share('good'), share('bad')];
  await turn();
  statements[0]!.fail(refusal());
  await expect(bad).rejects.toThrow('refused');
  expect(await good).toBe('good alone');
  expect(alone).toEqual(['good', 'bad']);
});

test.each([
  ['the database is unavailable', new GatewayError('UNAVAILABLE', 'no answer')],
  ['it is not known whether it was executed', new Error('no answer')],
])('if %s, the calls fail and are not repeated', async (_, error) => {
  const { share, statements, alone } = aStatement();
  const results = ['a', 'b'].map(share);
  await turn();
  statements[0]!.fail(error);
  for (const result of results) await expect(result).rejects.toThrow('no answer');
  const next = share('c');
  await turn();
  statements[1]!.end(inCapitals);
  expect(await next).toBe('C');
  expect(alone).toEqual([]);
});

test('if more calls wait than fit, each group has the same share of the next statement', async () => {
  const { share, statements } = aStatement({ maxCalls: 4, groupOf: ([group]) => group! });
  const results = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1'].map(share);
  await turn();
  expect(statements[0]!.calls).toEqual(['a1', 'b1', 'c1', 'a2']);
  statements[0]!.end(inCapitals);
  await turn();
  expect(statements[1]!.calls).toEqual(['a3', 'a4', 'a5']);
  statements[1]!.end(inCapitals);
  expect(await Promise.all(results)).toEqual(['A1', 'A2', 'A3', 'A4', 'A5', 'B1', 'C1']);
});

test('after a refused statement of several calls, calls run alone for a minute', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
  try {
    const { share, statements, alone } = aStatement();
    const refused = ['a', 'b'].map(share);
    await turn();
    statements[0]!.fail(refusal());
    expect(await Promise.all(refused)).toEqual(['a alone', 'b alone']);
    now.mockReturnValue(1_059_999);
    expect(await share('c')).toBe('c alone');
    now.mockReturnValue(1_060_000);
    const shared = share('d');
    await turn();
    expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b'], ['d']]);
    statements[1]!.end(inCapitals);
    expect(await shared).toBe('D');
    expect(alone).toEqual(['a', 'b', 'c']);
  } finally {
    now.mockRestore();
  }
});

test('calls that wait while a statement is refused run alone, too', async () => {
  const { share, statements, alone } = aStatement({ maxCalls: 2 });
  const results = ['a', 'b', 'c', 'd'].map(share);
  await turn();
  expect(statements.map(({ calls }) => calls)).toEqual([['a', 'b']]);
  statements[0]!.fail(refusal());
  expect(await Promise.all(results)).toEqual(['a alone', 'b alone', 'c alone', 'd alone']);
  expect(alone.toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(statements).toHaveLength(1);
});

test('after a deadlock, the calls of the statement run alone, and later ones share statements', async () => {
  const { share, statements, alone } = aStatement();
  const ended = ['a', 'b'].map(share);
  await turn();
  statements[0]!.fail(refusal('40P01'));
  expect(await Promise.all(ended)).toEqual(['a alone', 'b alone']);
  const next = ['c', 'd'].map(share);
  await turn();
  expect(statements.at(-1)!.calls).toEqual(['c', 'd']);
  statements.at(-1)!.end(inCapitals);
  expect(await Promise.all(next)).toEqual(['C', 'D']);
  expect(alone).toEqual(['a', 'b']);
});

test('a statement that takes long does not hold up the next one', async () => {
  const { share, statements } = aStatement();
  const stuck = share('stuck');
  await turn();
  const next = ['a', 'b'].map(share);
  await turn();
  expect(statements).toHaveLength(1);
  await waitFor(() => statements.length === 2);
  expect(statements[1]!.calls).toEqual(['a', 'b']);
  statements[1]!.end(inCapitals);
  expect(await Promise.all(next)).toEqual(['A', 'B']);
  statements[0]!.end(inCapitals);
  expect(await stuck).toBe('STUCK');
});
