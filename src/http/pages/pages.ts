import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { refuseUnlessRead, writeJson } from '../responses.js';
import type { Answerer } from '../app.js';
import { openPageFiles, type PageFile } from './page-files.js';
import { isOpenedHere } from '../authentication/client-address.js';
import { PAGES, traceOf } from '../request-context.js';

interface PagesParts {
  /** The folder of the built pages. */
  readonly folder: string;
  /** Whether there is a playground. */
  readonly hasPlayground: boolean;
  /** The demo's key and workspace; null where there is no demo. */
  demo(): Promise<{ readonly apiKey: string; readonly workspaceId: string } | null>;
}

/** What browsers open: the playground, the REST reference and what they load. Nothing of it is counted (D37). */
export interface Pages {
  /** Answers the pages' own paths and passes on the others. */
  readonly handler: RequestHandler;
  /** The playground, for a browser that opens /graphql; null where there is none. */
  readonly playground: Answerer | null;
}

/**
 * What a page may do: scripts and workers of its own origin only, and no request to any other. The editor and the
 * reference write style elements and attributes; their style sheets hold small pictures and fonts.
 */
const PAGE_POLICY = {
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

export function createPages({ folder, hasPlayground, demo }: PagesParts): Pages {
  const files = openPageFiles(folder);
  const page =
    (name: string): Answerer =>
    async (request, response) => {
      refuseUnlessRead(request, response);
      send(request, response, await files.page(name, takesGzip(request)), PAGE_POLICY);
    };
  const playground = hasPlayground ? page('playground') : null;
  const answerers: Readonly<Record<string, Answerer>> = {
    '/docs': page('api-docs'),
    // For a page that is open on this machine: the demo's key is not for anybody who can reach the gateway.
    '/pages/demo.json': async (request, response) => {
      refuseUnlessRead(request, response);
      const known = isOpenedHere(request) ? await demo() : null;
      writeJson(response, {
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: { demo: known && { apiKey: known.apiKey, workspaceId: known.workspaceId } },
      });
    },
    ...(playground && { '/playground': playground }),
  };

  return {
    playground,
    async handler(request, response, next) {
      const path = request.path.replace(/(?<=.)\/$/, '');
      const answerer = Object.hasOwn(answerers, path) ? answerers[path] : undefined;
      if (answerer || path.startsWith('/assets/')) traceOf(response).operation = PAGES;
      if (answerer) return answerer(request, response);
      const asset = path.startsWith('/assets/')
        ? await files.asset(path.slice('/assets/'.length), takesGzip(request))
        : null;
      if (!asset) return next();
      refuseUnlessRead(request, response);
      return send(request, response, asset);
    },
  };
}

const takesGzip = ({ headers }: IncomingMessage): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''));

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { bytes, headers }: PageFile,
  policy: Readonly<Record<string, string>> = {},
): void {
  for (const [name, value] of Object.entries({ ...headers, ...policy }))
    response.setHeader(name, value);
  if (headers['ETag'] !== undefined && request.headers['if-none-match'] === headers['ETag']) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
