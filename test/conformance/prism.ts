import path from 'node:path';
import { start, until } from '../setup/started.js';

/** Stoplight's Prism before a gateway: it holds each request and each answer to the OpenAPI document, and answers itself where one breaks it. */
export interface Prism {
  readonly url: string;
  close(): Promise<void>;
}

const PROXY = path.join(__dirname, 'prism-proxy.mjs');

export async function startPrism(gatewayUrl: string): Promise<Prism> {
  const proxy = start({}, [process.execPath, PROXY, gatewayUrl]);
  await until(() => proxy.output().includes('\n'), proxy);
  return {
    url: proxy.output().trim(),
    async close() {
      proxy.child.kill();
      await proxy.exit;
    },
  };
}
