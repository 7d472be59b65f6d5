import type { GraphQLError } from 'graphql';
import type { ErrorCode } from '../domain/errors.js';
import type { Authentication } from '../services/access/access-control.js';
import type { Browser, BrowserCookie } from '../services/accounts/consents.js';
import type { Clock } from '../services/clock.js';
import type { EventStream } from '../services/events/live-events.js';
import type { Services } from '../services/services.js';
import type {
  DocumentErrors,
  PreparedDocument,
  PreparedOperation,
} from './document/prepared-document.js';
import type { AnswerTooLargeError } from './answer-size.js';
import { LIMITS } from './document/limits.js';
import { createLoaders, type Loaders } from './loaders.js';

/** What is recorded about a request while it runs. */
export interface RequestState {
  /** Whether the request is a well-formed GraphQL request. Its document can still be invalid. */
  isWellFormed: boolean;
  /** Cost of the operation; 0 until it is computed (D40). */
  cost: number;
  /** The operation to execute; null until it is chosen from the document. */
  operation: PreparedOperation | null;
  /** Code of the first error. */
  errorCode: ErrorCode | null;
  /** A cookie for the browser that sent the request; null if it gets none. */
  cookie: BrowserCookie | null;
  /** Set once the answer is known to be too large; null before. */
  answerError: AnswerTooLargeError | null;
}

/** The event stream that responds to a subscription. */
export interface SubscriptionStream {
  /** The header Last-Event-ID: where the client lost an earlier stream; undefined without it. */
  readonly lastEventId: string | undefined;
  /** Takes the events. Resolves when the stream has ended, with the error that ended it. */
  deliver(events: EventStream): Promise<Error | null>;
  /** Takes the reasons why there are no events. */
  refuse(errors: readonly GraphQLError[]): void;
}

interface ContextOptions {
  readonly services: Services;
  readonly clock: Clock;
  /** Caller, workspace and rate limit of the request. */
  readonly authentication: Authentication;
  readonly requestId: string;
  /** By default, no browser. */
  readonly browser?: () => Browser;
  /** Null if the request contains none, or if it was rejected. */
  readonly document: PreparedDocument | null;
  /** Why the document was rejected; null if it was not. */
  readonly documentErrors?: DocumentErrors | null;
  /** The event stream that responds to a subscription; null for another response. */
  readonly stream?: SubscriptionStream | null;
}

const noBrowser = (): Browser => ({ origin: null, cookies: {} });

/** Context of the resolvers, one per request. */
export class GatewayContext {
  readonly services: Services;
  readonly clock: Clock;
  readonly authentication: Authentication;
  readonly requestId: string;
  readonly browser: () => Browser;
  readonly document: PreparedDocument | null;
  readonly documentErrors: DocumentErrors | null;
  readonly stream: SubscriptionStream | null;
  /** Mutable state of the request. A separate object because Apollo Server copies the context. */
  readonly state: RequestState = {
    isWellFormed: false,
    cost: 0,
    operation: null,
    errorCode: null,
    cookie: null,
    answerError: null,
  };
  /** Most operations use no loader, so they are created at the first use. */
  private usedLoaders: Loaders | null = null;

  constructor(options: ContextOptions) {
    this.services = options.services;
    this.clock = options.clock;
    this.authentication = options.authentication;
    this.requestId = options.requestId;
    this.browser = options.browser ?? noBrowser;
    this.document = options.document;
    this.documentErrors = options.documentErrors ?? null;
    this.stream = options.stream ?? null;
  }

  get loaders(): Loaders {
    return (this.usedLoaders ??= createLoaders(
      this.services,
      this.authentication,
      this.clock.now(),
    ));
  }

  set loaders(loaders: Loaders) {
    this.usedLoaders = loaders;
  }

  /** To be called after a mutation: rows that the loaders have cached are outdated. */
  discardLoaders(): void {
    this.usedLoaders = null;
  }
}

/** The extensions of a result: cost and rate limit. */
export const presentExtensions = ({ authentication, state }: GatewayContext) => {
  const { limit, remaining, resetAt } = authentication.rate;
  return {
    cost: { requested: state.cost, maximum: LIMITS.cost },
    rateLimit: { limit, remaining, resetAt },
  };
};
