import { createRequire } from 'node:module';
import path from 'node:path';

/** An audit of graphql-http. */
interface Audit {
  readonly name: string;
  fn(): Promise<{ readonly status: string; readonly reason?: string }>;
}
interface GraphqlHttp {
  serverAudits(options: { readonly url: string; readonly fetchFn: typeof fetch }): Audit[];
}

const CONFORMANCE = path.resolve(__dirname, '../../conformance/package.json');

/** The audits of graphql-http, which send their requests with `fetchFn`. */
export function openAudits(fetchFn: typeof fetch): readonly Audit[] {
  const { serverAudits } = createRequire(CONFORMANCE)('graphql-http') as GraphqlHttp;
  return serverAudits({ url: 'http://gateway.example/graphql', fetchFn });
}
