import {
  ApolloServer,
  HeaderMap,
  type ApolloServerOptionsWithSchema,
  type ApolloServerPlugin,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { GatewayContext } from './context.js';
import { LIMITS } from './document/limits.js';
import { errorPlugin, type ErrorLog, type FormatError } from './errors.js';
import {
  createDocumentStore,
  responsePlugin,
  type PreparedDocumentStore,
} from './response-plugin.js';

/** A request whose caller is authenticated, and accepts the media type of the response. */
export interface AcceptedRequest {
  readonly method: string;
  readonly contentType: string | undefined;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  /** Query string with its question mark, or empty. */
  readonly search: string;
}

/** The response to a request, without its media type. */
export interface ExecutedResponse {
  readonly status: number;
  readonly body: string;
  /** The methods that are allowed, if the method of the request is not. */
  readonly allow?: string | undefined;
}

interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly formatError: FormatError;
  readonly log: ErrorLog;
  /** Whether compiled execution answers requests before they reach Apollo Server. */
  readonly compiles: boolean;
}

type Plugin = ApolloServerPlugin<GatewayContext>;

/** Features that Apollo Server has by default, and that this server does not use. */
const DISABLED: readonly (() => Plugin)[] = [
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginCacheControlDisabled,
];

const skippable = new WeakSet<Plugin>();

/**
 * Marks a plugin that compiled execution may skip, because compiled operations do not pass through
 * Apollo Server: for operations that succeed, the plugin does nothing, or nothing that compiled
 * execution does not do as well. Returns the plugin.
 */
function skippedByCompiled(plugin: Plugin): Plugin {
  skippable.add(plugin);
  return plugin;
}

/** @throws Error if a plugin is not marked: compiled execution would skip it without being noticed */
export function assertSkippable(plugins: readonly Plugin[]): void {
  if (plugins.every((plugin) => skippable.has(plugin))) return;
  throw new Error(
    'Compiled execution would skip a plugin of Apollo Server. Let compiled execution do what the plugin does, and mark the plugin with skippedByCompiled, or set the option compiles to false.',
  );
}

/** The plugins of Apollo Server. */
const createPlugins = (documentStore: PreparedDocumentStore, log: ErrorLog): readonly Plugin[] => [
  ...DISABLED.map((create) => create()).map(skippedByCompiled),
  skippedByCompiled(responsePlugin(documentStore)),
  skippedByCompiled(errorPlugin(log)),
];

/** Creates the execution of requests by Apollo Server. */
export function createApolloExecution({ schema, formatError, log, compiles }: ApolloOptions) {
  const documentStore = createDocumentStore();
  const plugins = createPlugins(documentStore, log);
  if (compiles) assertSkippable(plugins);
  const server = new ApolloServer<GatewayContext>({
    schema,
    documentStore,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    // formatError removes suggestions; the regular expression of Apollo Server takes quadratic time
    hideSchemaDetailsFromClientErrors: false,
    // a forged request has no API key, because browsers send none on their own
    csrfPrevention: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    executionOptions: { maxCoercionErrors: LIMITS.variableErrors },
    formatError,
    stringifyResult: JSON.stringify,
    stopOnTerminationSignals: false,
    logger: {
      debug() {},
      info() {},
      warn: (message: string) => log.warn({}, message),
      error: (message: string) => log.error({}, message),
    },
    plugins: [...plugins],
  } satisfies ApolloServerOptionsWithSchema<GatewayContext>);
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();

  return async (
    { contentType, ...request }: AcceptedRequest,
    context: GatewayContext,
  ): Promise<ExecutedResponse> => {
    const sent = new HeaderMap();
    if (contentType !== undefined) sent.set('content-type', contentType);
    const {
      status = 200,
      headers,
      body,
    } = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { ...request, headers: sent },
      context: () => Promise.resolve(context),
    });
    if (body.kind === 'chunked') throw new Error('Incremental delivery is not supported.');
    return { status, body: body.string, allow: headers.get('allow') };
  };
}
