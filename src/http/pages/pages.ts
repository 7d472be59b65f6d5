import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../domain/errors.js';
import { assertReadMethod, writeHead, writeJson, writeResponse } from '../responses.js';
import type { HttpHandler } from '../handlers.js';
import { openPageFiles, type PageFile } from './page-files.js';
import { isHtmlRequest, toHtmlResponse } from './html.js';
import { createStartPage } from './start-page.js';
import { isOpenedLocally } from '../authentication/client-address.js';
import { PAGES_OPERATION, requestContextOf } from '../request-context.js';

interface PagesOptions {
  /** Folder of the bundled pages. */
  readonly folder: string;
  readonly hasPlayground: boolean;
  /** The demo's key and workspace; null without a demo. */
  readDemo(): Promise<{ readonly apiKey: string; readonly workspaceId: string } | null>;
}

/**
 * Pages for browsers: the start page, the playground, the sandbox network, the API docs, and their
 * files. They are not rate-limited (D37).
 */
export interface Pages {
  /** Serves the paths of the pages. False for all others, which it leaves alone. */
  handle(path: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Serves the playground to browsers that open /graphql; null if the playground is off. */
  readonly playground: HttpHandler | null;
}

/**
 * Pages can run scripts and workers of their own origin and send requests to it, nothing else. The
 * GraphQL editor and the API docs create style elements and attributes, and their style sheets
 * embed small images and fonts.
 */
const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "connect-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

/** Creates the handlers of the browser pages. */
export function createPages({ folder, hasPlayground, readDemo }: PagesOptions): Pages {
  const files = openPageFiles(folder);
  const page =
    (name: string): HttpHandler =>
    async (request, response) => {
      assertReadMethod(request, response);
      send(request, response, await files.page(name, acceptsGzip(request)), PAGE_HEADERS);
    };
  const playground = hasPlayground ? page('playground') : null;
  const startPage = toHtmlResponse(createStartPage(hasPlayground));
  const handlers: Readonly<Record<string, HttpHandler>> = {
    '/': async (_request, response) => writeResponse(response, startPage),
    '/docs': page('api-docs'),
    '/pages/demo.json': serveDemo(readDemo),
    '/sandbox': hasPlayground ? page('sandbox-page') : rejectPage,
    ...(playground && { '/playground': playground }),
  };

  return {
    playground,
    async handle(path, request, response) {
      const isPage = Object.hasOwn(handlers, path) && (path !== '/' || isHtmlRequest(request));
      const pageHandler = isPage ? handlers[path] : undefined;
      if (!pageHandler && !path.startsWith('/assets/')) return false;
      requestContextOf(response).operation = PAGES_OPERATION;
      if (pageHandler) {
        await pageHandler(request, response);
        return true;
      }
      const asset = await files.asset(path.slice('/assets/'.length), acceptsGzip(request));
      if (!asset) return false;
      assertReadMethod(request, response);
      send(request, response, asset);
      return true;
    },
  };
}

/** Without the page, the path is unknown like any other: it is no route that a key could open. */
const rejectPage: HttpHandler = () => Promise.reject(new GatewayError('NOT_FOUND'));

/**
 * Serves the demo's key only to pages opened on this machine, because other clients can reach the
 * gateway too.
 */
const serveDemo =
  (readDemo: PagesOptions['readDemo']): HttpHandler =>
  async (request, response) => {
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
