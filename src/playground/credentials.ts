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

/** Key in the session storage, which the browser deletes when the tab is closed. */
const STORAGE_KEY = 'posts-gateway:credentials';

/** Keeps accepted credentials in this browser tab. */
export const storeCredentials = (credentials: Credentials): void =>
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(credentials));

/** The credentials kept in this browser tab; null if there are none. */
export const readStoredCredentials = (): Credentials | null =>
  JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Credentials | null;

/** Headers of a request with these credentials. */
export const headersOf = ({ apiKey, workspaceId }: Credentials): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  ...(workspaceId && { 'Service-Workspace-Id': workspaceId }),
});
