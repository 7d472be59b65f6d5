import { explorerPlugin } from '@graphiql/plugin-explorer';
import { GraphiQL, HISTORY_PLUGIN, type GraphiQLProps } from 'graphiql';
import { useMemo, useRef, useState } from 'react';
import type { Connection } from './connect.js';
import {
  execute,
  isSubscription,
  omitRedundantOperationName,
  subscribe,
  toRequest,
  type ExecuteParams,
} from './fetcher.js';
import { ResponsePanel } from './response-panel.js';
import { readActiveTab, type EditorStorage } from './stored-tabs.js';

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
  const [initialTab] = useState(() => readActiveTab() ?? examples[0]);
  const [response, setResponse] = useState<Response | null>(null);
  const active = useRef({ query: '', variables: '', ...initialTab, operationName: '' });

  const fetcher = useMemo(
    (): GraphiQLProps['fetcher'] => (params) => {
      const operation = omitRedundantOperationName(params);
      if (isSubscription(operation)) return subscribe(credentials, operation);
      const isIntrospection = params.operationName === INTROSPECTION;
      return execute(credentials, operation, isIntrospection ? undefined : setResponse);
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
      defaultTabs={[...examples]}
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
