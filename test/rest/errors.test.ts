import { ERRORS, GatewayError, type ErrorCode } from '../../src/domain/errors.js';
import { presentError } from '../../src/rest/errors.js';

describe('presentError (D41)', () => {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => code !== 'RATE_LIMITED');

  it.each(codes)('%s', (code) => {
    const answer = presentError(new GatewayError(code, 'Why.'));
    expect(answer.status).toBe(ERRORS[code].status);
    expect(answer.body).toEqual({ errors: ['Why.'], code, message: 'Why.' });
  });

  it('gives the document’s body for 429', () => {
    expect(presentError(new GatewayError('RATE_LIMITED'))).toMatchObject({
      status: 429,
      body: { error: 'Rate limit exceeded. Retry later.' },
    });
  });

  it('sets Retry-After', () =>
    expect(presentError(new GatewayError('UNAVAILABLE'))).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '5' },
    }));

  it('names every problem by its path', () => {
    const problems = [
      { path: ['post', 'labels', 0, 'color'], message: 'must be #rrggbb' },
      { path: [], message: 'must be an object' },
      { path: [], message: 'The form has no file.' },
      { path: ['state[]'], message: 'bad' },
    ];
    expect(presentError(new GatewayError('BAD_USER_INPUT', 'Bad.', problems)).body).toEqual({
      errors: [
        'post.labels[0].color: must be #rrggbb',
        'body: must be an object',
        'The form has no file.',
        'state[]: bad',
      ],
      code: 'BAD_USER_INPUT',
      message: 'Bad.',
    });
  });

  it('bounds what it lists', () => {
    const problems = Array.from({ length: 600 }, (_, place) => ({
      path: ['post', 'tags', place],
      message: 'must be a string',
    }));
    const { errors } = presentError(new GatewayError('BAD_USER_INPUT', 'Bad.', problems)).body as {
      errors: string[];
    };
    expect(errors).toHaveLength(501);
    expect(errors[500]).toBe('… and 100 more problems.');
  });

  it.each([
    new Error('password=secret'),
    'secret',
    null,
    Object.assign(new Error('secret'), { status: 400 }),
  ])('reveals nothing about an internal error', (error) => {
    expect(presentError(error)).toEqual({
      status: 500,
      headers: {},
      body: {
        errors: [ERRORS.INTERNAL_SERVER_ERROR.description],
        code: 'INTERNAL_SERVER_ERROR',
        message: ERRORS.INTERNAL_SERVER_ERROR.description,
      },
    });
  });
});
