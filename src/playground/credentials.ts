/** What each request carries. */
export interface Credentials { readonly apiKey: string; readonly workspaceId: string }

/** The demo's key, which the gateway gives to a page that is opened on its own machine, and to nobody else. */
export async function readDemo(): Promise<Credentials | null> {
  const response = await fetch('/pages/demo.json');
  const { demo } = (await response.json()) as { demo: Credentials | null };
  return demo;
}

/** What was typed stays in this tab: the browser forgets it when the tab is closed. */
const PLACE = 'posts-gateway:credentials';

export function readTyped(): Credentials | null {
  const text = sessionStorage.getItem(PLACE);
  return text === null ? null : (JSON.parse(text) as Credentials);
}

export const keepTyped = (credentials: Credentials): void => sessionStorage.setItem(PLACE, JSON.stringify(credentials));

/** Nothing typed is kept any more: the page opens as at first. */
export const forgetTyped = (): void => sessionStorage.clear();

export const headersOf = ({ apiKey, workspaceId }: Credentials): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  ...(workspaceId && { 'Service-Workspace-Id': workspaceId }),
});
