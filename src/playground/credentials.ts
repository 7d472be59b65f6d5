/** What each request carries. */
export interface Credentials {
  readonly apiKey: string;
  readonly workspaceId: string;
}

/** The demo's key, which the gateway gives to a page that is opened on its own machine, and to nobody else. */
export async function readDemo(): Promise<Credentials | null> {
  const response = await fetch('/pages/demo.json');
  const { demo } = (await response.json()) as { demo: Credentials | null };
  return demo;
}

/** What was typed stays in this tab: the browser forgets it when the tab is closed. */
const TYPED = 'posts-gateway:typed';
const REOPENING = 'posts-gateway:reopening';

/** Opens the page anew, with what was typed, or as at first. */
export function reopen(typed: Credentials | null): void {
  sessionStorage.setItem(REOPENING, JSON.stringify(typed));
  location.reload();
}

/** What was typed in this tab. Where the page was to open anew, all else is forgotten only now: GraphiQL writes until it is gone. */
export function readTyped(): Credentials | null {
  const reopening = sessionStorage.getItem(REOPENING);
  if (reopening !== null) {
    sessionStorage.clear();
    sessionStorage.setItem(TYPED, reopening);
  }
  return JSON.parse(sessionStorage.getItem(TYPED) ?? 'null') as Credentials | null;
}

export const headersOf = ({ apiKey, workspaceId }: Credentials): Record<string, string> => ({
  Authorization: `Bearer-API ${apiKey}`,
  ...(workspaceId && { 'Service-Workspace-Id': workspaceId }),
});
