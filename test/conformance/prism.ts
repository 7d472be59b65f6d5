import path from 'node:path';
import { startProgram, waitUntil } from '../setup/started-program.js';

/**
 * Stoplight's Prism as a proxy of a gateway. It validates requests and responses against the
 * OpenAPI document, and sends an error response for violations.
 */
export interface Prism {
  readonly url: string;
  close(): Promise<void>;
}

const PROXY = path.join(__dirname, 'prism-proxy.mjs');

export async function startPrism(gatewayUrl: string): Promise<Prism> {
  const proxy = startProgram({}, [process.execPath, PROXY, gatewayUrl]);
  await waitUntil(() => proxy.output().includes('\n'), proxy);
  return {
    url: proxy.output().trim(),
    async close() {
      proxy.child.kill();
      await proxy.exit;
    },
  };
}
