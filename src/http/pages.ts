import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { GatewayError } from '../domain/errors.js';
import { CONNECT_LINK_PAGE } from '../services/accounts/connect-links.js';
import { isOpenedLocally } from './authentication/client-address.js';
import { createStartPage } from './page-texts.js';
import { PAGES_OPERATION, requestContextOf } from './request-context.js';
import {
  assertReadMethod,
  writeHead,
  writeJson,
  writeResponse,
  type HttpHandler,
  type HttpResponse,
} from './responses.js';

interface PagesOptions {
  /** Folder of the bundled pages. */
  readonly folder: string;
  readonly hasPlayground: boolean;
  /** The demo's key and workspace; null without a demo. */
  readDemo(): Promise<{ readonly apiKey: string; readonly workspaceId: string } | null>;
}

/** Serves a path, or calls `next` if the request is not for a page. */
type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => Promise<void>;

/**
 * Pages for browsers: the start page, the playground, the sandbox network, the connection of
 * accounts, the API docs, and their files. They are not rate-limited (D37).
 */
export interface Pages {
  readonly handlers: readonly (readonly [path: string | RegExp, handle: PageHandler])[];
  /** Serves the playground to browsers that open /graphql; null if the playground is off. */
  readonly playground: HttpHandler | null;
}

/**
 * Pages can run scripts and workers of their own origin and send requests to it, nothing else. The
 * GraphQL editor and the API docs create style elements and attributes, and their style sheets
 * embed small images and fonts.
 * @param pictures further sources of pictures, each after a space
 */
const pageHeaders = (pictures: string) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data:${pictures}`,
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
});
const PAGE_HEADERS = pageHeaders('');
/** Pictures of accounts are on the servers of their networks. */
const CONNECT_PAGE_HEADERS = pageHeaders(' https:');

/** Creates the handlers of the browser pages. */
export function createPages({ folder, hasPlayground, readDemo }: PagesOptions): Pages {
  const files = openPageFiles(folder);
  const page =
    (name: string, headers: Readonly<Record<string, string>> = PAGE_HEADERS): HttpHandler =>
    async (request, response) => {
      requestContextOf(response).operation = PAGES_OPERATION;
      assertReadMethod(request, response);
      send(request, response, await files.page(name, acceptsGzip(request)), headers);
    };
  const playground = hasPlayground ? page('playground') : null;
  const startPage = toHtmlResponse(createStartPage(hasPlayground));

  const serveStartPage: PageHandler = async (request, response, next) => {
    if (!isHtmlRequest(request)) return next();
    requestContextOf(response).operation = PAGES_OPERATION;
    writeResponse(response, startPage);
  };
  const serveAsset: PageHandler = async (request, response, next) => {
    requestContextOf(response).operation = PAGES_OPERATION;
    const [name = ''] = request.url!.slice('/assets/'.length).split('?', 1);
    const asset = await files.asset(name, acceptsGzip(request));
    if (!asset) return next();
    assertReadMethod(request, response);
    send(request, response, asset);
  };
  return {
    playground,
    handlers: [
      ['/', serveStartPage],
      ['/connect', page('connect-page', CONNECT_PAGE_HEADERS)],
      [CONNECT_LINK_PAGE, page('connect-page', CONNECT_PAGE_HEADERS)],
      ['/docs', page('api-docs')],
      ['/pages/demo.json', serveDemo(readDemo)],
      ['/sandbox', hasPlayground ? page('sandbox-page') : rejectPage],
      ...(playground ? [['/playground', playground] as const] : []),
      [/^\/assets\//, serveAsset],
    ],
  };
}

/** Whether a browser opens the address, as opposed to a client that calls an API. */
export const isHtmlRequest = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '');

/** A page that loads no other files. */
export const toHtmlResponse = (body: string): HttpResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    Vary: 'Accept',
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  body,
});

/** Without the page, the path is unknown like any other: it is no route that a key could open. */
const rejectPage: HttpHandler = async (_request, response) => {
  requestContextOf(response).operation = PAGES_OPERATION;
  throw new GatewayError('NOT_FOUND');
};

/**
 * Serves the demo's key only to pages opened on this machine, because other clients can reach the
 * gateway too.
 */
const serveDemo =
  (readDemo: PagesOptions['readDemo']): HttpHandler =>
  async (request, response) => {
    requestContextOf(response).operation = PAGES_OPERATION;
    assertReadMethod(request, response);
    const demo = isOpenedLocally(request) ? await readDemo() : null;
    writeJson(response, {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: { demo: demo && { apiKey: demo.apiKey, workspaceId: demo.workspaceId } },
    });
  };

const acceptsGzip = ({ headers }: IncomingMessage): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''));

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, headers }: PageFile,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  const all = { ...headers, ...extraHeaders };
  if (headers['ETag'] !== undefined && request.headers['if-none-match'] === headers['ETag'])
    return writeResponse(response, { status: 304, headers: all });
  writeHead(response, 200, { ...all, 'Content-Length': bytes.length });
  response.end(bytes);
}

/** A file of a page, ready to send. */
interface PageFile {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** Names of bundled files, which contain a hash of the content. */
const ASSET = /^[A-Za-z0-9][\w-]*(\.[\w-]+)+$/;

/**
 * Creates readers of the bundled pages and their assets. With `isGzip` they return the compressed
 * file.
 */
function openPageFiles(folder: string) {
  async function read(
    name: string,
    isGzip: boolean,
    caching: (bytes: Buffer) => Record<string, string>,
  ): Promise<PageFile> {
    const bytes = await readFile(path.join(folder, isGzip ? `${name}.gz` : name));
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    return {
      bytes,
      headers: {
        'Content-Type': type,
        Vary: 'Accept, Accept-Encoding',
        ...(isGzip && { 'Content-Encoding': 'gzip' }),
        ...caching(bytes),
      },
    };
  }
  return {
    /** The page in the folder of this name. */
    page: (name: string, isGzip: boolean): Promise<PageFile> =>
      read(`${name}/${name}.html`, isGzip, (bytes) => ({
        'Cache-Control': 'no-cache',
        ETag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      })),
    /** A file that pages load; null if it does not exist. */
    async asset(name: string, isGzip: boolean): Promise<PageFile | null> {
      if (!ASSET.test(name) || name.endsWith('.gz')) return null;
      return read(`assets/${name}`, isGzip, () => ({
        'Cache-Control': 'public, max-age=31536000, immutable',
      })).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
    },
  };
}
