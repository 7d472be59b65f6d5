import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { transferKindOf, watchTransfer } from '../../../src/http/admission/transfers.js';

it.each([
  ['POST', '/v1/media', 'upload'],
  ['GET', '/v1/media', null],
  ['POST', '/v1/media/from-url', null],
  ['GET', '/media/med_1/token', 'download'],
  ['HEAD', '/media/med_1/token/thumbnail', 'download'],
  ['PUT', '/media/med_1/token', 'upload'],
  ['POST', '/graphql', null],
])('%s %s is transferred: %s', (method, path, kind) => {
  expect(transferKindOf(method, path)).toBe(kind);
});

describe('a transfer', () => {
  const socket = { bytesRead: 0, bytesWritten: 0 };
  let request: { socket: typeof socket; complete: boolean };
  let response: EventEmitter & { headersSent?: boolean };
  const cut = jest.fn();

  beforeEach(() => {
    jest.useFakeTimers();
    cut.mockReset();
    Object.assign(socket, { bytesRead: 0, bytesWritten: 0 });
    request = { socket, complete: false };
    response = new EventEmitter();
    watchTransfer(request as unknown as IncomingMessage, response as ServerResponse, cut);
  });
  afterEach(() => jest.useRealTimers());
  const pass = (bytes: Partial<typeof socket> = {}): void => {
    Object.assign(socket, bytes);
    jest.advanceTimersByTime(30_000);
  };

  it('is cut off if less than 256 KB arrive in 30 s', () => {
    pass({ bytesRead: 262_144 });
    expect(cut).not.toHaveBeenCalled();
    pass({ bytesRead: 2 * 262_144 - 1 });
    expect(cut).toHaveBeenCalledTimes(1);
  });

  it('is cut off if the client does not read', () => {
    Object.assign(request, { complete: true });
    response.headersSent = true;
    pass({ bytesWritten: 262_144 });
    expect(cut).not.toHaveBeenCalled();
    pass();
    expect(cut).toHaveBeenCalledTimes(1);
  });

  it('may take as long as the gateway works on the file', () => {
    request.complete = true;
    pass();
    expect(cut).not.toHaveBeenCalled();
  });

  it('is not watched once it is over', () => {
    response.emit('close');
    pass();
    expect(cut).not.toHaveBeenCalled();
  });
});
