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
  const entry = (): Record<string, any> => JSON.parse(lines.join('')) as Record<string, any>;
  const failureOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => {
        throw new Error('expected a rejection');
      },
      (error: Error) => error,
    );

  it('writes one line of JSON with a time', () => {
    log.info({ requestId: 'mine' }, 'request completed');
    expect(lines).toHaveLength(1);
    expect(entry()).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      requestId: 'mine',
      msg: 'request completed',
    });
  });

  it.each([
    ['a key', 'spk_live_abcDEF123', 'spk_live_[redacted]'],
    [
      'a link to connect accounts',
      '/connect/link/spl_-kOeobKqucQGBkcY8H3yR0K350',
      '/connect/link/spl_[redacted]',
    ],
    ['a key in a URL', '/v1/spk%5flive%5FabcDEF123/x', '/v1/spk_live_[redacted]/x'],
    [
      'a header',
      'Authorization: Bearer-API something.else+x=',
      'Authorization: Bearer-API [redacted]',
    ],
    ['a network’s token', 'bearer eyJhbGciOi.J9', 'Bearer [redacted]'],
    [
      'the URL of a bot',
      'https://api.telegram.org/bot123456:AAFx-abcdefghijklmnopqrst/sendMessage',
      'https://api.telegram.org/bot[redacted]/sendMessage',
    ],
    [
      'a password in a URL',
      'postgresql://me:pass-word@db:5432/posts',
      'postgresql://me:[redacted]@db:5432/posts',
    ],
  ])('redacts %s in every part of a line', (_what, given, kept) => {
    log.error({ err: new Error(`1 ${given}`), path: `2 ${given}` }, `3 ${given}`);
    expect(entry()).toMatchObject({
      err: { message: `1 ${kept}` },
      path: `2 ${kept}`,
      msg: `3 ${kept}`,
    });
  });

  it('writes the reason of a failure as one line: the message of its cause', () => {
    const cause = new Error(`1 "${TEXT}"\n  2 postgresql://me:secret@db`);
    log.warn({ reason: new Error('failed', { cause }) }, 'request failed');
    expect(entry()).toMatchObject({ reason: expect.stringMatching(/^1 .* 2 postgresql:/) });
    expect(lines.join('')).not.toMatch(/secret|Nobody/);
    lines.length = 0;
    log.warn({ reason: Object.assign(new Error(''), { code: 'ECONNREFUSED' }) }, 'x');
    expect(entry()).toMatchObject({ reason: 'ECONNREFUSED' });
    lines.length = 0;
    log.warn({ reason: Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' }) }, 'x');
    expect(entry()).toMatchObject({
      reason:
        'connect EMFILE: raise the limit of open files of this process (ulimit -n, LimitNOFILE)',
    });
  });

  it('does not change URLs without a password', () => {
    log.info('http://127.0.0.1:4000/v1/posts?at=a@b');
    expect(entry()['msg']).toBe('http://127.0.0.1:4000/v1/posts?at=a@b');
  });

  it.each<[string, () => Promise<unknown>, object]>([
    [
      'a row that violates a constraint',
      () => db.pool.query('INSERT INTO label (id, name) VALUES ($1, $2)', ['x', TEXT]),
      { type: 'DatabaseError', code: '23502' },
    ],
    [
      'a value of the wrong type',
      () => db.pool.query('SELECT $1::text::int', [TEXT]),
      {
        type: 'DatabaseError',
        code: '22P02',
        message: 'invalid input syntax for type integer: "[redacted]"',
      },
    ],
    [
      'a call that Prisma rejects',
      () => db.prisma.label.create({ data: { id: 'x', name: TEXT } as never }),
      { type: 'PrismaClientValidationError' },
    ],
    [
      'a failed statement of Prisma',
      () => db.prisma.$queryRawUnsafe('SELECT $1::text::int', TEXT),
      { type: 'PrismaClientKnownRequestError', code: 'P2010' },
    ],
    ['text that is not JSON', async () => JSON.parse(TEXT) as unknown, { type: 'SyntaxError' }],
  ])('logs %s without its content', async (_what, work, expected) => {
    const failure = await failureOf(work());
    log.error(
      { err: Object.assign(new Error('outside', { cause: failure }), { request: { body: TEXT } }) },
      'unhandled error',
    );
    expect(entry()).toMatchObject({
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

  it('logs the violated constraint', async () => {
    const failure = await failureOf(
      db.pool.query(
        "INSERT INTO job (id, kind, status, failures, created_at) VALUES ('x', 'purge', 'failed', '[]', now())",
      ),
    );
    log.error({ err: failure }, 'unhandled error');
    expect(entry()).toMatchObject({
      err: { code: '23514', constraint: 'job_finished_when_not_working' },
    });
  });

  it('handles circular causes, and values that are not errors', () => {
    const failure = new Error('round');
    failure.cause = failure;
    log.error({ err: failure }, 'unhandled error');
    expect(entry()).toMatchObject({
      err: { message: 'round', cause: { cause: { cause: { message: 'round' } } } },
    });
    lines = [];
    log.error({ err: { text: TEXT } }, 'unhandled error');
    expect(entry()['err']).toBe('object');
  });
});
