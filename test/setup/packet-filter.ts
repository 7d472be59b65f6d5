import { execFileSync } from 'node:child_process';
import { suite } from './suite.js';

/** Drops TCP packets in the kernel. */
export interface PacketFilter {
  /** Drops every packet from and to a port of the server. */
  dropAll(port: number): void;
  /** Drops only the packets between this port and these ports of its clients, from now on. */
  dropOnly(port: number, clientPorts: readonly number[]): void;
}

const TABLE = 'posts_gateway_faults';

/** Replaces all rules in one transaction, so that no packet passes in between. */
function applyRules(rules: readonly string[]): void {
  const input = [
    `table inet ${TABLE}`,
    `delete table inet ${TABLE}`,
    `table inet ${TABLE} {`,
    'chain sent {',
    'type filter hook output priority 0;',
    ...rules,
    '}',
    '}\n',
  ].join('\n');
  execFileSync('nft', ['-f', '-'], { input });
}

const both = (port: number, clients = ''): string[] => [
  `tcp dport ${port}${clients && ` tcp sport ${clients}`} drop`,
  `tcp sport ${port}${clients && ` tcp dport ${clients}`} drop`,
];

/**
 * The packet filter of the network namespace that `run-suite.mjs` creates for the suite, as root and
 * with the programs `unshare` and `nft`. Undefined without it: the filter of the machine is not changed.
 */
export const ownPacketFilter = (): PacketFilter | undefined =>
  suite.hasOwnNetwork
    ? {
        dropAll: (port) => applyRules(both(port)),
        dropOnly: (port, clientPorts) =>
          applyRules(clientPorts.length > 0 ? both(port, `{ ${clientPorts.join(', ')} }`) : []),
      }
    : undefined;
