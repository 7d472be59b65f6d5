import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { throughApi, type ApiKind } from '../../domain/access/viewer.js';
import { GatewayError } from '../../domain/errors.js';
import type { RateState } from '../../domain/access/rate-window.js';
import type { AccessControl, Authentication } from '../../services/access/access-control.js';
import type { Clock } from '../../services/clock.js';
import type { FailureThrottle } from './failure-throttle.js';
import { readClient, type Client } from './client-address.js';
import { requestContextOf } from '../request-context.js';

/** The position of a change, which a client may send with later requests. */
export const POSITION_HEADER = 'X-Database-Position';

/** Authenticates and rate-limits the requests of both APIs. */
export interface Authenticator {
  /**
   * Runs the checks in D35's order for a request to `api`, and sets the rate headers of the window
   * that counted the request (D37).
   * @throws GatewayError HTTPS_REQUIRED, UNAUTHENTICATED, RATE_LIMITED, PLAN_REQUIRED,
   * BAD_USER_INPUT
   */
  authenticate(
    request: IncomingMessage,
    response: ServerResponse,
    api: ApiKind,
  ): Promise<Authentication>;
  /**
   * Admits a request that has the secret of a link instead of a key.
   * @throws GatewayError HTTPS_REQUIRED, RATE_LIMITED, and that of the admission
   */
  admitHolder<Holder>(
    request: IncomingMessage,
    response: ServerResponse,
    admission: LinkAdmission<Holder>,
  ): Promise<Holder>;
}

/** How requests with the secret of a kind of link are admitted. */
interface LinkAdmission<Holder> {
  /** Undefined if the request has none. */
  readonly secret: string | undefined;
  /** Returns null for a secret that is not valid. */
  open(secret: string): Promise<Holder | null>;
  /** ID of the link, whose requests are counted. */
  idOf(holder: Holder): string;
  /** The error if there is no valid secret. */
  readonly refusal: GatewayError;
}

interface AuthenticatorDependencies {
  readonly access: AccessControl;
  readonly failures: FailureThrottle;
  readonly trustedProxies: BlockList;
  readonly clock: Clock;
  /** Names the user of the current request, and the position that the client sent. */
  readonly setUser?: (user: {
    readonly id: string;
    readonly position: string | undefined;
    onChange(position: string): void;
  }) => void;
}

/** Creates the authenticator of a gateway. */
export function createAuthenticator({
  access,
  failures,
  trustedProxies,
  clock,
  setUser = () => undefined,
}: AuthenticatorDependencies): Authenticator {
  /**
   * Failures are counted by address; the rate headers show that count only once it is exceeded
   * (D38).
   */
  async function reject(
    client: Client,
    response: ServerResponse,
    error = new GatewayError('UNAUTHENTICATED'),
  ): Promise<never> {
    const rate = await failures.recordFailure(client.address, clock.now());
    if (!rate.allowed) {
      writeRateHeaders(rate, response);
      throw new GatewayError('RATE_LIMITED');
    }
    throw error;
  }

  return {
    async authenticate(request, response, api) {
      const client = readClient(request, trustedProxies);
      if (!client.isSecure) throw new GatewayError('HTTPS_REQUIRED');
      const decision = await access.decide(
        request.headers.authorization,
        headerOf(request, 'service-workspace-id'),
      );
      if (decision.kind === 'unauthenticated') return reject(client, response);
      writeRateHeaders(decision.rate, response);
      requestContextOf(response).rate = decision.rate;
      if (decision.kind === 'rate_limited') throw new GatewayError('RATE_LIMITED');
      const {
        identity: { caller, workspace },
        rate,
      } = decision;
      if (caller.plan !== 'business') throw new GatewayError('PLAN_REQUIRED');
      const { headers } = requestContextOf(response);
      setUser({
        id: caller.user.id,
        position: headerOf(request, POSITION_HEADER.toLowerCase()),
        onChange: (position) => (headers[POSITION_HEADER] = position),
      });
      return { caller, workspace: throughApi(workspace, api), rate };
    },
    async admitHolder(request, response, { secret, open, idOf, refusal }) {
      const client = readClient(request, trustedProxies);
      if (!client.isSecure) throw new GatewayError('HTTPS_REQUIRED');
      const holder = secret === undefined ? null : await open(secret);
      if (!holder) return reject(client, response, refusal);
      const rate = await access.count(idOf(holder));
      writeRateHeaders(rate, response);
      requestContextOf(response).rate = rate;
      if (!rate.allowed) throw new GatewayError('RATE_LIMITED');
      return holder;
    },
  };
}

/** The rate headers of a window (D37). */
function writeRateHeaders(
  { allowed, limit, remaining, resetAt, retryAfter }: RateState,
  response: ServerResponse,
): void {
  const { headers } = requestContextOf(response);
  headers['X-RateLimit-Limit'] = limit;
  headers['X-RateLimit-Remaining'] = remaining;
  headers['X-RateLimit-Reset'] = Math.ceil(resetAt.getTime() / 1000);
  if (!allowed) headers['Retry-After'] = retryAfter;
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};
