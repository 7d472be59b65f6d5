import type { Example } from './examples.js';

/** GraphiQL’s keys in its storage: all tabs, and copies of the active one. */
const KEYS = {
  tabs: 'graphiql:tabState',
  query: 'graphiql:query',
  variables: 'graphiql:variables',
};

interface StoredTabs {
  readonly tabs: readonly { readonly query: string | null; readonly variables: string | null }[];
  readonly activeTabIndex: number;
}

const readTabs = (): StoredTabs | null =>
  JSON.parse(sessionStorage.getItem(KEYS.tabs) ?? 'null') as StoredTabs | null;

/**
 * The tab that was active before the page was reloaded; undefined if the page is new. GraphiQL has
 * to be told: its own copies are written at another time and without unchanged variables, and if
 * they differ from every stored tab, it opens another one.
 */
export function readActiveTab(): Required<Example> | undefined {
  const stored = readTabs();
  const tab = stored?.tabs[stored.activeTabIndex];
  return tab && { query: tab.query ?? '', variables: tab.variables ?? '' };
}

/** Whether the stored tabs are something else than these examples. */
export function areTabsEdited(examples: readonly Example[]): boolean {
  const tabs = readTabs()?.tabs ?? [];
  return tabs.some(
    ({ query, variables }) =>
      !examples.some(
        (example) => example.query === query && (example.variables ?? '') === (variables ?? ''),
      ),
  );
}

/**
 * What one editor stores in this browser tab. GraphiQL stores tabs half a second after a change,
 * even if it is not displayed any more: an editor that has been replaced must not write over the
 * tabs of the next one.
 */
export class EditorStorage {
  private isDiscarded = false;

  get length(): number {
    return sessionStorage.length;
  }

  getItem(key: string): string | null {
    return sessionStorage.getItem(key);
  }

  setItem(key: string, value: string): void {
    if (!this.isDiscarded) sessionStorage.setItem(key, value);
  }

  removeItem(key: string): void {
    if (!this.isDiscarded) sessionStorage.removeItem(key);
  }

  clear(): void {
    if (!this.isDiscarded) sessionStorage.clear();
  }

  /** Removes the tabs, and ignores what the editor stores from now on. */
  discard(): void {
    Object.values(KEYS).forEach((key) => this.removeItem(key));
    this.isDiscarded = true;
  }
}
