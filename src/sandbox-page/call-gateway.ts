import { headersOf, type Credentials } from '../playground/credentials.js';

/**
 * Sends a request to REST v1 or the sandbox with these credentials.
 * @throws Error with the gateway's reason
 */
export async function callGateway<Body>(
  credentials: Credentials,
  [method, path]: readonly [method: string, path: string],
  body?: unknown,
): Promise<Body> {
  const response = await fetch(path, {
    method,
    cache: 'no-store',
    headers: {
      ...headersOf(credentials),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const result = (await response.json()) as Body & { message?: string; error?: string };
  if (!response.ok) throw new Error(result.message ?? result.error);
  return result;
}

/** A time in the zone of the browser, with its name. */
export const toLocalTime = (time: string): string =>
  new Date(time).toLocaleString(undefined, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
