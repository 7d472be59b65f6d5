/** Page at /: links to the pages for browsers. Loads no other files. */
export const createStartPage = (hasPlayground: boolean): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Posts Gateway</title>
<h1>Posts Gateway</h1>
<ul>
${hasPlayground ? '<li><a href="/playground">Playground</a>: write and run GraphQL operations' : '<li><a href="/graphql">GraphQL</a>: how to send a request'}
${hasPlayground ? '<li><a href="/sandbox">Sandbox network</a>: the posts of sandbox accounts as readers see them\n' : ''}<li><a href="/docs">REST API docs</a>: every route of REST v1, with “Try it out”
<li><a href="/v1/openapi.json">OpenAPI document</a> of REST v1
</ul>
</html>
`;

/** Page at /graphql if the playground is off: how to send a request. Loads no other files. */
export const GRAPHQL_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Posts gateway</title>
<h1>Posts gateway: GraphQL</h1>
<p>Send GraphQL requests to this URL: POST a JSON body with <code>query</code>, <code>variables</code> and
<code>operationName</code>, or GET a query with parameters of the same names.</p>
<p>Each request needs two headers:</p>
<pre>Authorization: Bearer-API &lt;key&gt;
Service-Workspace-Id: &lt;workspace id&gt;</pre>
<p>For example:</p>
<pre>curl -s "$ADDRESS/graphql" \\
  -H "Authorization: Bearer-API $KEY" -H "Service-Workspace-Id: $WORKSPACE" \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"{ posts(first: 3) { nodes { id text state } } }"}'</pre>
<p>Introspection works with any key. The REST API is under <code>/v1</code>; its documentation is at
<a href="/docs">/docs</a>.</p>
</html>
`;
