import { createLog } from '../../src/log/log.js';
import { testDatabase, type TestDatabase } from '../setup/database.js';

const TEXT = 'Nobody outside may read this "draft"';

describe('the log', () => {
  let db: TestDatabase;
  let lines: string[];
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.drop());
  beforeEach(() => {
    lines = [];
  });

  const log = createLog('info', (line) => void lines.push(line));
  const told = (): Record<string, any> => JSON.parse(lines.join('')) as Record<string, any>;
  const failureOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => {
        throw new Error('it did not fail');
      },
      (error: Error) => error,
    );

  it('is one line of JSON with a time', () => {
    log.info({ requestId: 'mine' }, 'answered');
    expect(lines).toHaveLength(1);
    expect(told()).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'mine',
      msg: 'answered',
    });
  });

  it.each([
    ['a key', 'spk_live_abcDEF123', 'spk_live_[redacted]'],
    ['a key in an address', '/v1/spk%5flive%5FabcDEF123/x', '/v1/spk_live_[redacted]/x'],
    [
      'a header',
      'Authorization: Bearer-API something.else+x=',
      'Authorization: Bearer-API [redacted]',
    ],
    ['a network’s token', 'bearer eyJhbGciOi.J9', 'Bearer [redacted]'],
    [
      'a bot’s address',
      'https://api.telegram.org/bot123456:AAFx-abcdefghijklmnopqrst/sendMessage',
      'https://api.telegram.org/bot[redacted]/sendMessage',
    ],
    [
      'a password in an address',
      'postgresql://me:pass-word@db:5432/posts',
      'postgresql://me:[redacted]@db:5432/posts',
    ],
  ])('keeps %s out, wherever it strayed in', (_what, given, kept) => {
    log.error({ err: new Error(`1 ${given}`), path: `2 ${given}` }, `3 ${given}`);
    expect(told()).toMatchObject({
      err: { message: `1 ${kept}` },
      path: `2 ${kept}`,
      msg: `3 ${kept}`,
    });
  });

  it('leaves addresses without a password as they are', () => {
    log.info('http://127.0.0.1:4000/v1/posts?at=a@b');
    expect(told()['msg']).toBe('http://127.0.0.1:4000/v1/posts?at=a@b');
  });

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'a row that a constraint refuses',
      () => db.pool.query('INSERT INTO label (id, name) VALUES ($1, $2)', ['x', TEXT]),
      { type: 'DatabaseError', code: '23502' },
    ],
    [
      'a value that is none of its type',
      () => db.pool.query('SELECT $1::text::int', [TEXT]),
      {
        type: 'DatabaseError',
        code: '22P02',
        message: 'invalid input syntax for type integer: "[redacted]"',
      },
    ],
    [
      'a call that Prisma refuses',
      () => db.prisma.label.create({ data: { id: 'x', name: TEXT } as never }),
      { type: 'PrismaClientValidationError' },
    ],
    [
      'a statement of Prisma’s that fails',
      () => db.prisma.$queryRawUnsafe('SELECT $1::text::int', TEXT),
      { type: 'PrismaClientKnownRequestError', code: 'P2010' },
    ],
    ['an answer that is no JSON', async () => JSON.parse(TEXT) as unknown, { type: 'SyntaxError' }],
  ])('tells of %s without what was in it', async (_what, work, expected) => {
    const failure = await failureOf(work());
    log.error(
      { err: Object.assign(new Error('outside', { cause: failure }), { request: { body: TEXT } }) },
      'a fault',
    );
    expect(told()).toMatchObject({
      err: {
        type: 'Error',
        message: 'outside',
        stack: expect.stringMatching(/^ +at /),
        cause: { message: expect.stringMatching(/./), stack: expect.any(String), ...expected },
      },
    });
    expect(lines.join('')).not.toContain('outside may');
    expect(lines.join('')).not.toContain('draft');
  });

  it('tells the constraint that refused', async () => {
    const failure = await failureOf(
      db.pool.query(
        "INSERT INTO job (id, kind, status, failures, created_at) VALUES ('x', 'purge', 'failed', '[]', now())",
      ),
    );
    log.error({ err: failure }, 'a fault');
    expect(told()).toMatchObject({
      err: { code: '23514', constraint: 'job_finished_when_not_working' },
    });
  });

  it('tells of causes in a circle, and of what is no error', () => {
    const failure = new Error('round');
    failure.cause = failure;
    log.error({ err: failure }, 'a fault');
    expect(told()).toMatchObject({
      err: { message: 'round', cause: { cause: { cause: { message: 'round' } } } },
    });
    lines = [];
    log.error({ err: { text: TEXT } }, 'a fault');
    expect(told()['err']).toBe('object');
  });
});
