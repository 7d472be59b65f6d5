/** What a browser gets at /graphql where there is no playground: what is here and how to ask it. No script, no style, nothing from elsewhere. */
export const GRAPHQL_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Posts gateway</title>
<h1>Posts gateway: GraphQL</h1>
<p>This address answers GraphQL: POST a JSON body with <code>query</code>, <code>variables</code> and
<code>operationName</code>, or GET a query with the same names as parameters.</p>
<p>Each request carries two headers:</p>
<pre>Authorization: Bearer-API &lt;key&gt;
Service-Workspace-Id: &lt;workspace id&gt;</pre>
<p>For example:</p>
<pre>curl -s "$ADDRESS/graphql" \\
  -H "Authorization: Bearer-API $KEY" -H "Service-Workspace-Id: $WORKSPACE" \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"{ posts(first: 3) { nodes { id text state } } }"}'</pre>
<p>The schema describes itself: introspection is open to any key. The same posts over REST are under
<code>/v1</code>; their reference is <a href="/docs">/docs</a>.</p>
</html>
`;
