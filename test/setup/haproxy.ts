import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createCertificate } from '../../tools/nginx.mjs';
import { freePort } from './free-port.js';
import { startProgram } from './started-program.js';
import { findProgram } from './system-program.js';
import { removeFolder, temporaryFolder } from './test-server.js';

/** A load balancer in front of two gateways. */
export interface LoadBalancer {
  readonly url: string;
  /** Its certificate. */
  readonly ca: Buffer;
  close(): Promise<void>;
}

const CONFIGURATION = path.resolve(__dirname, '../../deploy/haproxy.cfg');

/** Starts HAProxy, with the configuration for operators, for two gateways on these ports. */
export async function startHaproxy([first, second]: readonly [
  number,
  number,
]): Promise<LoadBalancer> {
  const program = findProgram({
    neededBy: 'load balancer',
    names: ['haproxy'],
    debianPackage: 'haproxy',
  });
  const [folder, listen] = [temporaryFolder(), await freePort()];
  const { CERTIFICATE, CERTIFICATE_KEY } = createCertificate(folder);
  const ca = readFileSync(CERTIFICATE);
  const both = path.join(folder, 'both.pem');
  writeFileSync(both, Buffer.concat([ca, readFileSync(CERTIFICATE_KEY)]));
  const haproxy = startProgram(
    {
      LISTEN: `127.0.0.1:${listen}`,
      CERTIFICATE: both,
      GATEWAY_1: `127.0.0.1:${first}`,
      GATEWAY_2: `127.0.0.1:${second}`,
    },
    [program, '-db', '-f', CONFIGURATION],
  );
  return {
    url: `https://localhost:${listen}`,
    ca,
    async close() {
      haproxy.child.kill('SIGTERM');
      await haproxy.exit;
      removeFolder(folder);
    },
  };
}
