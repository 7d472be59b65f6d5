import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { GatewayError } from '../domain/errors.js';
import { isJsonObject } from '../domain/input/readers.js';
import { parseUrl } from '../domain/input/urls.js';
import type { Authenticator } from '../http/authentication/authenticator.js';
import { readJsonBody } from '../http/body.js';
import { errorHead, reportError, toGatewayError } from '../http/errors.js';
import { requestContextOf } from '../http/request-context.js';
import { writeResponse, type HttpHandler, type HttpResponse } from '../http/responses.js';
import type { Clock } from '../services/clock.js';
import type { Services } from '../services/services.js';
import type { ToolContext } from './tool.js';

/** Path of the MCP server. */
export const MCP_PATH = '/mcp';

/** What the MCP server is made of. */
interface McpDependencies {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  /** Version of the gateway. */
  readonly version: string;
  /** Names under which the gateway is reached, besides those of this machine. */
  readonly hostNames: ReadonlySet<string>;
  /** Whether calls that cannot be taken back need a confirmation. */
  readonly confirms: boolean;
  /** The operations of REST v1, and the path of their document. */
  readonly restApi: ToolContext['restApi'];
  readonly log: Logger;
}

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A page of another origin could use this server with the rights of the person who opened it, also
 * under a name that leads to this machine (DNS rebinding).
 * @throws GatewayError FORBIDDEN
 */
function assertOrigin({ headers }: IncomingMessage, hostNames: ReadonlySet<string>): void {
  const isKnown = (url: string): boolean => {
    const name = parseUrl(url)?.hostname ?? '';
    return LOOPBACK_NAME.test(name) || hostNames.has(name);
  };
  const { host = '', origin } = headers;
  if (!isKnown(`http://${host}`))
    throw new GatewayError(
      'FORBIDDEN',
      'The gateway does not know this host name. Set PUBLIC_URL to the URL at which clients reach it.',
    );
  if (origin !== undefined && !isKnown(origin))
    throw new GatewayError('FORBIDDEN', 'Requests from pages of this origin are not allowed.');
}

/** @throws GatewayError METHOD_NOT_ALLOWED, BAD_USER_INPUT */
function assertRequest(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'POST') {
    requestContextOf(response).headers['Allow'] = 'POST';
    throw new GatewayError('METHOD_NOT_ALLOWED', 'The MCP server takes POST only.');
  }
  if (request.url?.includes('?'))
    throw new GatewayError(
      'BAD_USER_INPUT',
      'The address of the MCP server has no parameters. Send the key in the header Authorization. If the address contained a key, revoke it.',
    );
}

/** Streams stay open: clients of this server read `get_changes` instead. */
const STREAMING_METHOD = 'subscriptions/listen';
/** As the protocol answers methods that a server does not have. */
const METHOD_NOT_FOUND = { code: -32_601, message: 'Method not found: use get_changes.' };

/** The message of a request. @throws GatewayError BAD_USER_INPUT and others */
function readMessage(request: IncomingMessage): Record<string, unknown> {
  const body = readJsonBody(request);
  if (!isJsonObject(body))
    throw new GatewayError('BAD_USER_INPUT', 'The body must be one JSON-RPC message.');
  return body;
}

/** The arguments of a call decide its workspace, before the header does. */
function workspaceOf({ params }: Record<string, unknown>): string | undefined {
  const args = isJsonObject(params) ? params.arguments : undefined;
  const id = isJsonObject(args) ? args.workspace_id : undefined;
  return typeof id === 'string' ? id : undefined;
}

const BEARER = /^Bearer(?:-API)? +(\S+)$/i;
/** Headers that the protocol reads. */
const PROTOCOL_HEADER = /^(accept|content-type|mcp-[a-z-]{1,40})$/;

/** Creates the handler of the MCP server (D80). The protocol is loaded with the first request. */
export function createMcp({
  services,
  authenticator,
  clock,
  version,
  hostNames,
  confirms,
  restApi,
  log,
}: McpDependencies): HttpHandler {
  async function contextOf(
    request: IncomingMessage,
    response: ServerResponse,
    message: Record<string, unknown>,
  ): Promise<ToolContext> {
    const { headers } = request;
    const [, apiKey = ''] = BEARER.exec(headers.authorization ?? '') ?? [];
    headers.authorization = `Bearer-API ${apiKey}`;
    const workspaceId = workspaceOf(message);
    if (workspaceId !== undefined)
      headers['service-workspace-id'] = /^[\x21-\x7e]*$/.test(workspaceId) ? workspaceId : '?';
    const authentication = await authenticator.authenticate(request, response, 'mcp');
    return { services, clock, authentication, apiKey, confirms, restApi };
  }

  async function serve(
    request: IncomingMessage,
    response: ServerResponse,
    message: Record<string, unknown>,
  ): Promise<void> {
    const { context, failure } = await contextOf(request, response, message).then(
      (known) => ({ context: known, failure: null }),
      (error: unknown) => ({ context: null, failure: error as GatewayError }),
    );
    // A model reads why its call was refused; other requests, and those without a key, fail.
    const isCall = message.method === 'tools/call';
    const isAnswered = failure instanceof GatewayError && failure.code !== 'UNAUTHENTICATED';
    if (failure && !(isCall && isAnswered)) throw failure;
    if (message.method === STREAMING_METHOD) {
      writeMessage(response, { status: 404 }, { id: message.id, error: METHOD_NOT_FOUND });
      return;
    }
    const { serveMcp } = await import('./protocol.js');
    const { headers } = requestContextOf(response);
    const {
      status,
      headers: own,
      body,
    } = await serveMcp(version, {
      headers: Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          PROTOCOL_HEADER.test(name) && typeof value === 'string' ? [[name, value]] : [],
        ),
      ),
      body: message,
      context,
      failure,
      requestId: String(headers['X-Request-Id']),
      reportError: (error) => reportError(log, response, error),
    });
    const type = own['content-type'];
    writeResponse(response, { status, ...(type && { headers: { 'Content-Type': type } }), body });
  }

  return async (request, response) => {
    requestContextOf(response).operation = 'POST /mcp';
    let message: Record<string, unknown> = {};
    try {
      assertRequest(request, response);
      assertOrigin(request, hostNames);
      message = readMessage(request);
      await serve(request, response, message);
    } catch (error) {
      reportError(log, response, error);
      writeError(response, message.id, error);
    }
  };
}

/** JSON-RPC's code for errors of a server. */
const SERVER_ERROR = -32_000;

/** Responds with an error of the protocol, to a request that no tool could answer. */
function writeError(response: ServerResponse, id: unknown, error: unknown): void {
  const { code, message } = toGatewayError(error);
  const { status, headers } = errorHead(code);
  const challenge = code === 'UNAUTHENTICATED' && { 'WWW-Authenticate': 'Bearer' };
  writeMessage(
    response,
    { status, headers: { ...headers, ...challenge } },
    { id, error: { code: SERVER_ERROR, message, data: { code } } },
  );
}

/** Responds with a message of JSON-RPC; the ID is null if the request had none. */
function writeMessage(
  response: ServerResponse,
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  { id, error }: { readonly id: unknown; readonly error: object },
): void {
  const isId = typeof id === 'string' || typeof id === 'number';
  writeResponse(response, {
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ jsonrpc: '2.0', id: isId ? id : null, error }),
  });
}
