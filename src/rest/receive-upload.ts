import { GatewayError } from '../domain/errors.js';
import type { HttpHandler } from '../http/handlers.js';
import { requestContextOf } from '../http/request-context.js';
import { writeJson } from '../http/responses.js';
import type { MediaLibrary } from '../services/media/media.js';
import { presentFields } from './body-fields.js';
import { UPLOADED_MEDIA } from './media/media-bodies.js';
import { presentRefusals } from './errors.js';

const ADDRESS = /^\/media\/([^/]+)\/([^/]+)$/;

/** The body as it arrives. @throws GatewayError BAD_USER_INPUT if it ends early */
async function* contentOf(request: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* request;
  } catch {
    throw new GatewayError('BAD_USER_INPUT', 'The body ended before it was complete.');
  }
}

/**
 * Receives a file at the one-time address of an upload (D63). The address needs no key, and the
 * request does not count toward the rate limit.
 */
export const createUploadReceiver =
  (media: Pick<MediaLibrary, 'receive'>): HttpHandler =>
  async (request, response) => {
    requestContextOf(response).operation = 'PUT /media/{id}/{token}';
    const [, id, token] = ADDRESS.exec((request.url ?? '').split('?', 1)[0]!) ?? [];
    const outcome =
      id === undefined || token === undefined
        ? null
        : await media.receive({ id, token }, contentOf(request));
    if (outcome === null)
      throw new GatewayError(
        'NOT_FOUND',
        'There is no upload at this address: it has expired or was used. Create another one.',
      );
    writeJson(
      response,
      outcome.kind === 'refused'
        ? presentRefusals(outcome.refusals)
        : { status: 200, body: presentFields(UPLOADED_MEDIA, outcome.media) },
    );
  };
