import { explorerPlugin } from '@graphiql/plugin-explorer';
import { HISTORY_PLUGIN, GraphiQL, type GraphiQLProps } from 'graphiql';
import { useState, useRef, useMemo } from 'react';
import type { Connection } from './connection.js';
import type { Example } from './examples.js';
import {
  omitRedundantOperationName,
  isSubscription,
  subscribe,
  execute,
  toRequest,
  type ExecuteParams,
} from './fetcher.js';

const PLUGINS = [HISTORY_PLUGIN, explorerPlugin({ showAttribution: false })];
const INTROSPECTION = 'IntrospectionQuery';

/** GraphiQL, with the tabs of this browser tab or else with the examples. */
export function Editor({
  connection,
  storage,
}: {
  connection: Connection;
  storage: EditorStorage;
}) {
  const { credentials, examples } = connection;
  const [linkedTab] = useState(() => readLinkedTab(examples));
  const [initialTab] = useState(() => linkedTab ?? readActiveTab() ?? examples[0]);
  const [response, setResponse] = useState<Response | null>(null);
  const active = useRef({ query: '', variables: '', ...initialTab, operationName: '' });

  const fetcher = useMemo(
    (): GraphiQLProps['fetcher'] => (params) => {
      const operation = omitRedundantOperationName(params);
      if (isSubscription(operation)) return subscribe(credentials, operation);
      if (params.operationName === INTROSPECTION) return execute(credentials, operation);
      return execute(credentials, operation, setResponse).finally(showResponse);
    },
    [credentials],
  );
  const readRequest = () => {
    const { query, variables, operationName } = active.current;
    const params: ExecuteParams = {
      query,
      operationName: operationName || undefined,
      ...(variables.trim() && { variables: JSON.parse(variables) as unknown }),
    };
    return toRequest(credentials, omitRedundantOperationName(params));
  };
  return (
    <GraphiQL
      fetcher={fetcher}
      storage={storage}
      defaultTabs={linkedTab ? [linkedTab, ...examples] : [...examples]}
      initialQuery={initialTab?.query ?? ''}
      initialVariables={initialTab?.variables ?? ''}
      onEditQuery={(query) => Object.assign(active.current, { query })}
      onEditVariables={(variables) => Object.assign(active.current, { variables })}
      onEditOperationName={(operationName) => Object.assign(active.current, { operationName })}
      plugins={PLUGINS}
      isHeadersEditorEnabled={false}
      showPersistHeadersSettings={false}
      defaultEditorToolsVisibility="variables"
      introspectionQueryName={INTROSPECTION}
      schemaDescription
      inputValueDeprecation
    >
      <GraphiQL.Logo>GraphQL</GraphiQL.Logo>
      <GraphiQL.Footer>
        <ResponsePanel response={response} readRequest={readRequest} />
      </GraphiQL.Footer>
    </GraphiQL>
  );
}

/** On a phone, the response is below the editors: scrolls to it. */
function showResponse(): void {
  if (matchMedia('(max-width: 700px)').matches)
    document.querySelector('.graphiql-response')?.scrollIntoView({ block: 'start' });
}

/** A post that another page links to: `/playground#post=<id>`. */
const LINKED_POST = /^#post=([0-9a-f]{24})$/;

/** The tab that shows the post of the address; undefined if there is none. Opened once only. */
function readLinkedTab(examples: readonly Example[]): Example | undefined {
  const id = LINKED_POST.exec(location.hash)?.[1];
  const example = examples.find(({ query }) => query.includes('query PostRights'));
  if (!id || !example) return undefined;
  history.replaceState(null, '', location.pathname);
  return { ...example, variables: JSON.stringify({ id }, null, 2) };
}

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
function readActiveTab(): Required<Example> | undefined {
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

type Request = ReturnType<typeof toRequest>;

/** Programs that send a request by POST: as a command line, and in JavaScript. */
const REQUEST_TEXTS = {
  curl: (url: string, { headers, body }: Request): string =>
    [
      `curl ${quoteForShell(url)}`,
      ...Object.entries(headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
      `--data-raw ${quoteForShell(body)}`,
    ].join(' \\\n  '),
  fetch: (url: string, { headers, body }: Request): string =>
    `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: ${indent(JSON.stringify(headers, null, 2))},
  body: JSON.stringify(${indent(JSON.stringify(JSON.parse(body), null, 2))}),
});
console.log(await response.json());
`,
} as const;

const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const indent = (text: string): string => text.replaceAll('\n', '\n  ');

interface ResponsePanelProps {
  /** The response of the last operation; null before the first. */
  readonly response: Response | null;
  /** Reads the request of the active tab. @throws Error if its variables are not JSON */
  readRequest(): ReturnType<typeof toRequest>;
}

type Format = keyof typeof REQUEST_TEXTS;
const FORMATS = Object.keys(REQUEST_TEXTS) as Format[];

/** Below the response: copies the request as a program, and shows the headers of the response. */
function ResponsePanel({ response, readRequest }: ResponsePanelProps) {
  const [notice, setNotice] = useState('');
  const copy = async (format: Format): Promise<void> => {
    try {
      const url = new URL('/graphql', location.href).href;
      await navigator.clipboard.writeText(REQUEST_TEXTS[format](url, readRequest()));
      setNotice(`Copied as ${format}. It contains the API key.`);
    } catch (error) {
      setNotice(`Not copied: ${(error as Error).message}`);
    }
  };
  return (
    <footer className="response-panel">
      {FORMATS.map((format) => (
        <button key={format} type="button" onClick={() => void copy(format)}>
          Copy as {format}
        </button>
      ))}
      <span role="status">{notice}</span>
      {response && (
        <details>
          <summary>Response headers ({response.status})</summary>
          <pre>{[...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
        </details>
      )}
    </footer>
  );
}
