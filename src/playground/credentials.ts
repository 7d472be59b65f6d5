/** API key and workspace ID of every request. */
export interface Credentials {
  readonly apiKey: string;
  readonly workspaceId: string;
}

/** Fetches the key of the demo; null unless the page was opened on the machine of the gateway. */
export async function fetchDemoCredentials(): Promise<Credentials | null> {
  const response = await fetch('/pages/demo.json');
  const { demo } = (await response.json()) as { demo: Credentials | null };
  return demo;
}

/** Keys in the session storage, which the browser deletes when the tab is closed. */
const CREDENTIALS_KEY = 'posts-gateway:credentials';
const RELOAD_KEY = 'posts-gateway:reload';

/** Reloads the page with these credentials, or with the initial ones if null. */
export function reloadWith(credentials: Credentials | null): void {
  sessionStorage.setItem(RELOAD_KEY, JSON.stringify(credentials));
  location.reload();
}

/**
 * Reads the credentials entered in this tab. After `reloadWith`, clears the session storage first:
 * GraphiQL writes to it until the page unloads.
 */
export function readStoredCredentials(): Credentials | null {
  const pending = sessionStorage.getItem(RELOAD_KEY);
  if (pending !== null) {
    sessionStorage.clear();
    sessionStorage.setItem(CREDENTIALS_KEY, pending);
  }
  return JSON.parse(sessionStorage.getItem(CREDENTIALS_KEY) ?? 'null') as Credentials | null;
}

/** Headers of a request with these credentials. */
export const headersOf = ({ apiKey, workspaceId }: Credentials): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  ...(workspaceId && { 'Service-Workspace-Id': workspaceId }),
});
