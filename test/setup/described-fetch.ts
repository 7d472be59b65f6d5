import { assertMatchesOpenApi } from '../fixtures/described-response.js';

/**
 * Runs before each test file: every response of v1 or the sandbox that `fetch` receives must match
 * the OpenAPI document.
 */
const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const request =
    input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
  const { pathname, search } = new URL(request.url);
  const { status, headers } = response;
  await assertMatchesOpenApi({
    method: request.method,
    path: pathname + search,
    status,
    headers,
    text: () => response.clone().text(),
  });
  return response;
};
