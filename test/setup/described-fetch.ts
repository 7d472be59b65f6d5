import { holdToReference } from '../fixtures/described.js';

/** Before each test file: what `fetch` gets of v1 or the sandbox is described by the reference, or the test fails, whoever asks. */
const plainFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const asked =
    input instanceof Request ? input : { url: String(input), method: init?.method ?? 'GET' };
  const { pathname, search } = new URL(asked.url);
  const { status, headers } = response;
  await holdToReference({
    method: asked.method,
    path: pathname + search,
    status,
    headers,
    text: () => response.clone().text(),
  });
  return response;
};
