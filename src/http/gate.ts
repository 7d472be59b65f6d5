import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { GatewayError } from '../domain/errors.js';
import type { Access, Admission } from '../services/access.js';
import type { Clock, RateState } from '../services/ports.js';
import type { RateLimiter } from '../services/rate-limiter.js';
import type { FailureThrottle } from './failure-throttle.js';
import { peerOf, type Peer } from './peer.js';

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
  readonly rateLimiter: RateLimiter;
  readonly failures: FailureThrottle;
  readonly trustedProxies: BlockList;
  readonly clock: Clock;
}

export function createGate({ access, rateLimiter, failures, trustedProxies, clock }: GateParts): Gate {
  function assertWithin(rate: RateState, response: ServerResponse): void {
    response.setHeader('X-RateLimit-Limit', rate.limit);
    response.setHeader('X-RateLimit-Remaining', rate.remaining);
    response.setHeader('X-RateLimit-Reset', Math.ceil(rate.resetAt.getTime() / 1000));
    if (rate.allowed) return;
    response.setHeader('Retry-After', Math.max(1, Math.ceil((rate.resetAt.getTime() - clock.now().getTime()) / 1000)));
    throw new GatewayError('RATE_LIMITED');
  }

  /** Failures are counted by address; the headers speak of that count only where it refuses (D38). */
  async function refuse(peer: Peer, response: ServerResponse): Promise<never> {
    const rate = await failures.fail(peer.address, clock.now());
    if (!rate.allowed) assertWithin(rate, response);
    response.setHeader('WWW-Authenticate', 'Bearer-API');
    throw new GatewayError('UNAUTHENTICATED');
  }

  return {
    async admit(request, response) {
      const peer = peerOf(request, trustedProxies);
      if (!peer.secure) throw new GatewayError('HTTPS_REQUIRED');
      const identity = await access.identify(request.headers.authorization, headerOf(request, 'service-workspace-id'));
      if (!identity) return refuse(peer, response);
      const rate = await rateLimiter.take(identity.caller);
      assertWithin(rate, response);
      if (identity.caller.plan !== 'business') throw new GatewayError('PLAN_REQUIRED');
      return { ...identity, rate };
    },
  };
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};
