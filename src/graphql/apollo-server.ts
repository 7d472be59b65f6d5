import {
  ApolloServer,
  HeaderMap,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type DocumentStore,
  type GraphQLRequestListener,
  type HTTPGraphQLHead,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  OperationTypeNode,
  parse,
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { GatewayError } from '../domain/errors.js';
import { AnswerTooLargeError } from './answer-size.js';
import type { CompiledExecution } from './compiled/compiled-execution.js';
import { presentExtensions, type GatewayContext } from './context.js';
import { LIMITS } from './document/limits.js';
import { recordErrors, statusOf, type ErrorLog, type FormatError } from './errors.js';
import type { Executor } from './executor.js';
import type { OperationRequest } from './document/prepared-document.js';

/** A plugin of Apollo Server. It sees every operation: its name, its errors and its end. */
export type Plugin = ApolloServerPlugin<GatewayContext>;

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

/** Executes requests by Apollo Server. */
export interface ApolloExecution {
  /** Responds to a request that Apollo Server reads. */
  respond(request: AcceptedRequest, context: GatewayContext): Promise<ExecutedResponse>;
  /**
   * Executes an operation whose request has been read, and returns the result as JSON text: that of
   * a subscription, once its stream has ended.
   */
  execute(operation: Partial<OperationRequest>, context: GatewayContext): Promise<string>;
}

interface ApolloOptions {
  readonly schema: GraphQLSchema;
  /** Null if compiled execution is not used. */
  readonly executeCompiled: CompiledExecution | null;
  readonly executor: Pick<Executor, 'execute'>;
  readonly formatError: FormatError;
  readonly log: ErrorLog;
  /** In addition to the plugin of this file. */
  readonly plugins: readonly Plugin[];
}

/** Features that Apollo Server has by default, and that this server does not use. */
const DISABLED: readonly (() => Plugin)[] = [
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginCacheControlDisabled,
];

/** The headers of most requests: Apollo Server reads only Content-Type, and only that of a GET. */
const NO_HEADERS = new HeaderMap();

/** Changes neither the status nor the headers of a response. */
const NO_HEAD: HTTPGraphQLHead = { headers: new HeaderMap() };

/** Creates the execution of requests by Apollo Server, with the executor of its gateway. */
export function createApolloExecution({
  schema,
  executeCompiled,
  executor,
  formatError,
  log,
  plugins,
}: ApolloOptions): ApolloExecution {
  const documentStore = createDocumentStore();
  const server = new ApolloServer<GatewayContext>({
    gateway: {
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => {};
      },
      load: () => Promise.resolve({ executor: executor.execute }),
      stop: () => Promise.resolve(),
    },
    documentStore,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    // formatError removes suggestions; the regular expression of Apollo Server takes quadratic time
    hideSchemaDetailsFromClientErrors: false,
    // a forged request has no API key, because browsers send none on their own
    csrfPrevention: false,
    // for a document that is no longer in the store
    parseOptions: { maxTokens: LIMITS.tokens },
    formatError,
    stringifyResult: serializeResult,
    stopOnTerminationSignals: false,
    logger: {
      debug() {},
      info() {},
      warn: (message: string) => log.warn({}, message),
      error: (message: string) => log.error({}, message),
    },
    plugins: [
      ...DISABLED.map((create) => create()),
      createRequestPlugin({ documentStore, executeCompiled, log }),
      ...plugins,
    ],
  } satisfies ApolloServerOptionsWithGateway<GatewayContext>);
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();

  return {
    async respond({ contentType, ...request }, context) {
      const {
        status = 200,
        headers,
        body,
      } = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          ...request,
          headers:
            request.method === 'POST' || contentType === undefined
              ? NO_HEADERS
              : new HeaderMap([['content-type', contentType]]),
        },
        context: () => Promise.resolve(context),
      });
      if (body.kind === 'chunked') throw new Error('Incremental delivery is not supported.');
      return { status, body: body.string, allow: headers.get('allow') };
    },
    async execute({ query, operationName, variables }, contextValue) {
      const request = { query, operationName: operationName ?? undefined, variables };
      const { body } = await server.executeOperation(request, { contextValue });
      if (body.kind === 'incremental') throw new Error('Incremental delivery is not supported.');
      return serializeResult(body.singleResult);
    },
  };
}

/** `data` of a result as JSON text, which compiled execution writes. */
export class SerializedData {
  constructor(readonly text: string) {}

  /** For plugins that serialize results. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

function serializeResult(result: FormattedExecutionResult): string {
  const { data, errors, extensions } = result;
  if (!(data instanceof SerializedData)) return JSON.stringify(result);
  // Put together without a list, whose `join` would copy a long text.
  const errorsMember = errors ? `"errors":${JSON.stringify(errors)},` : '';
  const extensionsMember = extensions ? `,"extensions":${JSON.stringify(extensions)}` : '';
  return `{${errorsMember}"data":${data.text}${extensionsMember}}`;
}

/** A document store of Apollo Server that takes prepared documents. */
interface PreparedDocumentStore extends DocumentStore {
  /** Adds the document that Apollo Server is about to look up. */
  add(queryHash: string, document: DocumentNode): void;
}

/** More than the documents that Apollo Server can be about to look up. */
const MAX_DOCUMENTS = 64;

/**
 * Hands prepared documents to Apollo Server, which would parse and validate them again. Right after
 * `didResolveSource`, Apollo Server looks a document up by the hash of its text, which follows the
 * hash of the schema and a colon.
 */
function createDocumentStore(): PreparedDocumentStore {
  const documents = new Map<string, DocumentNode>();
  return {
    add(queryHash, document) {
      documents.set(queryHash, document);
      if (documents.size > MAX_DOCUMENTS) documents.delete(documents.keys().next().value!);
    },
    get: (key) => Promise.resolve(documents.get(key.slice(key.lastIndexOf(':') + 1))),
    // documents that Apollo Server has parsed: only those that were not prepared
    set: () => Promise.resolve(),
    delete: (key) => Promise.resolve(documents.delete(key)),
  };
}

/**
 * Stands for a document that was rejected: it leads Apollo Server to the executor, which returns
 * the errors. Validating the document again would take long if it exceeds the limits.
 */
const REJECTED_DOCUMENT = parse('{ __typename }');

const subscriptionError = (): GatewayError =>
  new GatewayError(
    'BAD_USER_INPUT',
    'The result of a subscription is an event stream. Send the header Accept: text/event-stream.',
  );

interface RequestPluginOptions extends Pick<ApolloOptions, 'executeCompiled' | 'log'> {
  readonly documentStore: PreparedDocumentStore;
}

/**
 * Passes the prepared document to Apollo Server, chooses the operation, rejects it if it is too
 * complex, responds to it if it is compiled, records errors, and sets the status that they have.
 *
 * A compiled operation responds here and not in the executor of the gateway: for a call of that
 * executor, Apollo Server makes an object with accessors, whose hidden class keeps the whole
 * request in V8's old space. Minor garbage collections then take 13 ms instead of 0.4.
 */
function createRequestPlugin({
  documentStore,
  executeCompiled,
  log,
}: RequestPluginOptions): Plugin {
  const done = Promise.resolve();
  const listener: GraphQLRequestListener<GatewayContext> = {
    didResolveSource({ queryHash, contextValue: { document, documentErrors, state } }) {
      state.isWellFormed = true;
      if (documentErrors) documentStore.add(queryHash, REJECTED_DOCUMENT);
      else if (document) documentStore.add(queryHash, document.document);
      return done;
    },
    didResolveOperation({ operation, request, contextValue: { document, state, stream } }) {
      // several operations without `operationName`: Apollo Server rejects the request
      const prepared = operation && document?.operations.get(operation.name?.value);
      if (!prepared) return done;
      state.operation = prepared;
      if (operation.operation === OperationTypeNode.SUBSCRIPTION && !stream)
        return Promise.reject(subscriptionError());
      const { variables = {} } = request;
      state.cost = prepared.costOf(variables);
      return state.cost <= LIMITS.cost ? done : Promise.reject(prepared.costErrorOf(variables));
    },
    async responseForOperation({ request: { variables = {} }, contextValue: context }) {
      const { state, stream } = context;
      if (!executeCompiled || !state.operation || stream) return null;
      let text: string | null = null;
      try {
        text = await executeCompiled({ operation: state.operation, variables, context });
      } catch (error) {
        if (!(error instanceof AnswerTooLargeError)) throw error;
        state.answerError = error; // the executor returns it, as all errors
      }
      if (text === null) return null;
      const singleResult: FormattedExecutionResult<Record<string, any>> = {
        data: new SerializedData(text),
        extensions: presentExtensions(context),
      };
      return { http: NO_HEAD, body: { kind: 'single', singleResult } };
    },
    didEncounterErrors({ errors, contextValue }) {
      recordErrors(log, errors, contextValue);
      return done;
    },
    willSendResponse({ response: { body, http }, errors = [] }) {
      if (body.kind !== 'single' || errors.length === 0) return done;
      const status = statusOf(body.singleResult.data, errors);
      if (status) http.status = status;
      return done;
    },
  };
  const listening = Promise.resolve(listener);
  return { requestDidStart: () => listening };
}
