import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { readClient } from '../authentication/client-address.js';
import { networkKey } from '../authentication/failure-throttle.js';

/**
 * The names under which a request counts toward the limits of its client: its key, if it has one,
 * and its address. Before the key is checked, it is only a text, so that a client can send another
 * one with each request; its address stays.
 */
export type ClientNames = readonly string[];

/** The names of the client that sent a request. */
export function clientNames(request: IncomingMessage, trustedProxies: BlockList): ClientNames {
  const address = `address ${networkKey(readClient(request, trustedProxies).address ?? '')}`;
  const { authorization } = request.headers;
  // The case of the scheme and further spaces make no other key.
  const key = authorization?.trim().split(/ +/).at(-1);
  return key === undefined ? [address] : [`key ${key}`, address];
}

/** Counts what each client uses of something that has a limit per client. */
export interface ClientShares {
  /** Whether each of the names can take that much more. */
  hasRoom(names: ClientNames, amount?: number): boolean;
  /** Counts for each of the names. What was taken must be given back once. */
  take(names: ClientNames, amount?: number): void;
  giveBack(names: ClientNames, amount?: number): void;
}

/** Creates counts that are all 0. `max` is the limit of each name. */
export function createClientShares(max: number): ClientShares {
  const used = new Map<string, number>();
  const usedBy = (name: string): number => used.get(name) ?? 0;
  return {
    hasRoom: (names, amount = 1) => names.every((name) => usedBy(name) + amount <= max),
    take(names, amount = 1) {
      for (const name of names) used.set(name, usedBy(name) + amount);
    },
    giveBack(names, amount = 1) {
      for (const name of names) {
        const rest = usedBy(name) - amount;
        if (rest > 0) used.set(name, rest);
        else used.delete(name);
      }
    },
  };
}
