import { NOW } from './network-case.js';
import { exactly, listOf, matching, text, integerFrom, type Schema } from './request-schema.js';
import { startStandIn, type ReceivedRequest, type Reply, type Route } from './stand-in.js';
import { PNG } from './wordpress-server.js';

export const APP_PASSWORD = 'abcd-efgh-ijkl-mnop';
export const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
export const COLLECTION = 'app.bsky.feed.post';
const TID = matching(/^[234567a-j][2-7a-z]{12}$/);
const HOUR_MS = 3_600_000;

/** The service: its records by key, and what it knows of sessions. */
export interface BlueskyState {
  records: Map<string, Record<string, any>>;
  /** Tokens that were issued, newest last. */
  tokens: string[];
  /** Access tokens that are refused from now on. */
  refused: Set<string>;
  lifetimeMs: number;
  /** Set by tests that read the uploads: then any file is taken. */
  uploads?: Buffer[];
}

export const aService = (): BlueskyState => ({
  records: new Map(),
  tokens: [],
  refused: new Set(),
  lifetimeMs: 2 * HOUR_MS,
});

export const errorBody = (_status: number, message: string) => ({ error: 'SomeError', message });
const error = (name: string): Reply => ({ status: 400, json: { error: name, message: name } });

const FACET: Schema = {
  index: { byteStart: integerFrom(0), byteEnd: integerFrom(1) },
  features: listOf({ $type: text, 'uri?': text, 'did?': text, 'tag?': text }),
};
export const BLOB = { $type: 'blob', ref: { $link: 'bafkreib' }, mimeType: 'image/png', size: 8 };
const BLOB_REFERENCE: Schema = {
  $type: exactly('blob'),
  ref: { $link: text },
  mimeType: text,
  size: integerFrom(1),
};
const RECORD: Schema = {
  $type: exactly(COLLECTION),
  text,
  createdAt: matching(/^2026-11-21T\d\d:\d\d:\d\d\.\d{3}Z$/),
  'langs?': listOf(text),
  'facets?': listOf(FACET),
  'embed?': {
    $type: matching(/^app\.bsky\.embed\.(images|external|video)$/),
    'images?': listOf({
      image: BLOB_REFERENCE,
      alt: text,
      'aspectRatio?': { width: integerFrom(1), height: integerFrom(1) },
    }),
    'video?': BLOB_REFERENCE,
    'alt?': text,
    'external?': { uri: text, title: text, description: text, 'thumb?': BLOB_REFERENCE },
  },
};

/** Starts the API of a service. Its clock is the one of the tests. */
export async function startBluesky(service: BlueskyState, now: () => Date = () => NOW) {
  const issue = (kind: string): string => {
    const claims = { exp: Math.floor((now().getTime() + service.lifetimeMs) / 1_000) };
    const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const token = `${kind}-${service.tokens.length}.${body}.signature`;
    service.tokens.push(token);
    return token;
  };
  const session = (): Reply => ({
    status: 200,
    json: {
      did: DID,
      handle: 'kiosk.example',
      accessJwt: issue('access'),
      refreshJwt: issue('refresh'),
    },
  });
  const tokenOf = ({ headers }: ReceivedRequest): string =>
    headers.authorization!.replace('Bearer ', '');
  const authorization = (kind: string) => ({
    authorization: matching(new RegExp(`^Bearer ${kind}-\\d+\\.`)),
  });
  /** A method for signed-in accounts. */
  const method = (
    type: 'GET' | 'POST',
    name: string,
    rest: Partial<Route> & Pick<Route, 'respond'>,
  ): Route => ({
    method: type,
    path: new RegExp(`^/xrpc/${name}$`),
    ...rest,
    headers: authorization('access'),
    respond: (request, match) =>
      service.refused.has(tokenOf(request)) ? error('ExpiredToken') : rest.respond(request, match),
  });
  const record = (rkey: string) => ({ uri: `at://${DID}/${COLLECTION}/${rkey}`, cid: 'bafyrei' });
  const standIn = await startStandIn(
    [
      {
        method: 'POST',
        path: /^\/xrpc\/com\.atproto\.server\.createSession$/,
        headers: {},
        json: { identifier: exactly('kiosk.example'), password: text },
        respond: ({ body }) =>
          (body as any).password === APP_PASSWORD
            ? session()
            : {
                status: 401,
                json: {
                  error: 'AuthenticationRequired',
                  message: 'Invalid identifier or password',
                },
              },
      },
      {
        method: 'POST',
        path: /^\/xrpc\/com\.atproto\.server\.refreshSession$/,
        headers: authorization('refresh'),
        respond: (request) =>
          service.refused.has(tokenOf(request)) ? error('ExpiredToken') : session(),
      },
      method('GET', 'com.atproto.identity.resolveHandle', {
        query: { handle: text },
        respond: ({ query }) =>
          query.handle === 'roaster.example'
            ? { status: 200, json: { did: 'did:plc:roaster' } }
            : error(query.handle === 'nobody.example' ? 'InvalidRequest' : 'HandleNotFound'),
      }),
      method('POST', 'com.atproto.repo.uploadBlob', {
        file: (bytes) =>
          service.uploads || PNG.equals(bytes as Buffer) ? null : 'is not the expected picture',
        respond({ bytes }) {
          service.uploads?.push(bytes);
          return { status: 200, json: { blob: BLOB } };
        },
      }),
      method('POST', 'com.atproto.repo.putRecord', {
        json: {
          repo: exactly(DID),
          collection: exactly(COLLECTION),
          rkey: TID,
          record: RECORD,
          swapRecord: exactly(null),
        },
        respond({ body }) {
          const sent = body as { rkey: string; record: Record<string, any> };
          const existing = service.records.get(sent.rkey);
          if (existing && JSON.stringify(existing) !== JSON.stringify(sent.record))
            return error('InvalidSwap');
          service.records.set(sent.rkey, sent.record);
          return { status: 200, json: record(sent.rkey) };
        },
      }),
      method('GET', 'com.atproto.repo.getRecord', {
        query: { repo: exactly(DID), collection: exactly(COLLECTION), rkey: TID },
        respond: ({ query }) => {
          const value = service.records.get(query.rkey!);
          return value
            ? { status: 200, json: { ...record(query.rkey!), value } }
            : error('RecordNotFound');
        },
      }),
      method('POST', 'com.atproto.repo.deleteRecord', {
        json: { repo: exactly(DID), collection: exactly(COLLECTION), rkey: TID },
        respond({ body }) {
          service.records.delete((body as { rkey: string }).rkey);
          return { status: 200, json: {} };
        },
      }),
      {
        method: 'GET',
        headers: {},
        path: /^\/elsewhere\/beans\.png$/,
        respond: () => ({ status: 200, text: PNG, headers: { 'Content-Type': 'image/png' } }),
      },
    ],
    errorBody,
  );
  return { ...standIn, state: () => service };
}
