import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { GatewayError } from '../../domain/errors.js';
import type { RateState } from '../../domain/access/rate-window.js';
import type { Access, Admission } from '../../services/access/access.js';
import type { Clock } from '../../services/ports.js';
import type { FailureThrottle } from './failure-throttle.js';
import { peerOf, type Peer } from './client-address.js';
import { traceOf } from '../request-context.js';

/** Stands before both doors. */
export interface Gate {
  /**
   * Admits a request, in D35's order, and writes the rate headers of whatever was counted onto the response (D37).
   * @throws GatewayError HTTPS_REQUIRED, UNAUTHENTICATED, RATE_LIMITED, PLAN_REQUIRED
   */
  admit(request: IncomingMessage, response: ServerResponse): Promise<Admission>;
}

interface GateParts {
  readonly access: Access;
  readonly failures: FailureThrottle;
  readonly trustedProxies: BlockList;
  readonly clock: Clock;
}

export function createGate({ access, failures, trustedProxies, clock }: GateParts): Gate {
  /** Failures are counted by address; the headers speak of that count only where it refuses (D38). */
  async function refuse(peer: Peer, response: ServerResponse): Promise<never> {
    const rate = await failures.fail(peer.address, clock.now());
    if (!rate.allowed) {
      tell(rate, response);
      throw new GatewayError('RATE_LIMITED');
    }
    response.setHeader('WWW-Authenticate', 'Bearer-API');
    throw new GatewayError('UNAUTHENTICATED');
  }

  return {
    async admit(request, response) {
      const peer = peerOf(request, trustedProxies);
      if (!peer.secure) throw new GatewayError('HTTPS_REQUIRED');
      const entry = await access.enter(
        request.headers.authorization,
        headerOf(request, 'service-workspace-id'),
      );
      if (entry.kind === 'unknown') return refuse(peer, response);
      tell(entry.rate, response);
      traceOf(response).rate = entry.rate;
      if (entry.kind === 'over') throw new GatewayError('RATE_LIMITED');
      const {
        identity: { caller, workspace },
        rate,
      } = entry;
      if (caller.plan !== 'business') throw new GatewayError('PLAN_REQUIRED');
      return { caller, workspace, rate };
    },
  };
}

/** The rate headers of whatever was counted (D37). */
function tell(
  { allowed, limit, remaining, resetAt, retryAfter }: RateState,
  response: ServerResponse,
): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil(resetAt.getTime() / 1000));
  if (!allowed) response.setHeader('Retry-After', retryAfter);
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};
