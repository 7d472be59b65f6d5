import type { mastodon } from 'masto';
import { createActionProxy, HttpActionDispatcher } from 'masto/adapters/action/index.js';
import { HttpActionDispatcherHookMastodon } from 'masto/adapters/action/dispatcher-http-hook-mastodon.js';
import { HttpConfigImpl } from 'masto/adapters/config/index.js';
import { BaseHttp } from 'masto/adapters/http/base-http.js';
import { SerializerNativeImpl } from 'masto/adapters/serializers/index.js';
import type { HttpRequestParams, HttpResponse } from 'masto/interfaces/index.js';

/**
 * Creates a masto client that uses `fetch`. `createRestAPIClient` has no option for it, and its own
 * fetch would bypass the address guard.
 */
export function createMastodonClient(
  url: string,
  accessToken: string,
  fetch: typeof globalThis.fetch,
): mastodon.rest.Client {
  const serializer = new SerializerNativeImpl();
  const config = new HttpConfigImpl({ url, accessToken }, serializer);
  const http = new (class extends BaseHttp {
    async request<T>({ method, path, search, body }: HttpRequestParams): Promise<HttpResponse<T>> {
      const headers = config.mergeRequestInitWithDefaults().headers as Headers;
      if (body !== undefined) headers.set('Content-Type', 'application/json');
      const response = await fetch(
        config.resolvePath(path, search as Record<string, unknown> | undefined),
        {
          method,
          headers,
          ...(body !== undefined && {
            body: serializer.serialize('json', body as Record<string, unknown>) as string,
          }),
        },
      );
      return {
        headers: response.headers,
        data: serializer.deserialize<T>('json', await response.text()),
      };
    }
  })();
  return createActionProxy(
    new HttpActionDispatcher(http, new HttpActionDispatcherHookMastodon(http)),
    { context: ['api'] },
  );
}
