import type { TestGateway } from '../fixtures/gateway.js';
import type { KeyedViewer } from '../fixtures/records.js';
import type { RestInput } from './rest-inputs.js';

/**
 * Sends a value in an input of REST v1 or the sandbox. `as` defaults to the owner of the gateway's
 * first workspace.
 */
export function sendRestInput(
  gateway: Pick<TestGateway, 'request'>,
  { input, value, as }: { input: RestInput; value: string; as?: KeyedViewer },
): ReturnType<TestGateway['request']> {
  const { path, headers, body } = input.request(value);
  return gateway.request(path, {
    method: input.method,
    ...(as && { caller: { as } }),
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
