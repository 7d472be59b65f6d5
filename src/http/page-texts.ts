/** A page that loads no other files. */
const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { max-width: 52rem; margin: 0 auto; padding: 8vh 20px 40px; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1d2a24, #e8eef0); background: light-dark(#fff, #212a3b); }
h1 { margin: 0 0 8px; font-size: 32px; }
h2 { margin: 32px 0 8px; font-size: 18px; }
a { color: light-dark(#2f6f4f, #8fd0ae); }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 12px; margin: 24px 0; padding: 0; list-style: none; }
li { padding: 14px 16px; border: 1px solid light-dark(#d6ddd9, #3b4656); border-radius: 8px; }
li a { display: block; font-size: 18px; font-weight: 600; }
pre { padding: 12px 14px; overflow-x: auto; border-radius: 8px; background: light-dark(#f2f5f3, #2a3547); font: 13px/1.5 ui-monospace, monospace; }
</style>
${body}
</html>
`;

const FIRST_REQUEST = `<pre>curl -s "$HOST/graphql" \\
  -H "Authorization: Bearer-API $KEY" -H "Service-Workspace-Id: $WORKSPACE" \\
  -H 'Content-Type: application/json' \\
  -d '{"query":"{ posts(first: 3) { nodes { id text state } } }"}'</pre>`;

const PLAYGROUND = `<li><a href="/playground">Playground</a>Write and run GraphQL operations, with an example for each task.
<li><a href="/sandbox">Sandbox network</a>See the posts of sandbox accounts as readers see them, and make calls fail.`;
const GRAPHQL = '<li><a href="/graphql">GraphQL</a>How to send a request.';

/** Page at /: links to the pages for browsers. */
export const createStartPage = (hasPlayground: boolean): string =>
  pageOf(
    'Posts Gateway',
    `<h1>Posts Gateway</h1>
<p>Plan, review, publish and edit social media posts, with a GraphQL API and a REST API that apply the same rules.</p>
<ul>
${hasPlayground ? PLAYGROUND : GRAPHQL}
<li><a href="/connect">Connect accounts</a>Connect the accounts of a workspace with their networks.
<li><a href="/docs">REST API docs</a>Every route of REST v1, with “Try it out”.
<li><a href="/v1/openapi.json">OpenAPI document</a>REST v1 for code generators and other tools.
</ul>
<h2>The first request</h2>
${FIRST_REQUEST}
<p>With the demo data, <code>npm start</code> prints the lines that define <code>HOST</code>, <code>KEY</code> and <code>WORKSPACE</code>.</p>`,
  );

/** Page at /graphql if the playground is off: how to send a request. */
export const GRAPHQL_PAGE = pageOf(
  'Posts Gateway: GraphQL',
  `<h1>GraphQL</h1>
<p>Send GraphQL requests to this URL: POST a JSON body with <code>query</code>, <code>variables</code> and
<code>operationName</code>, or GET a query with parameters of the same names.</p>
<p>Each request needs two headers:</p>
<pre>Authorization: Bearer-API &lt;key&gt;
Service-Workspace-Id: &lt;workspace id&gt;</pre>
<p>For example:</p>
${FIRST_REQUEST}
<p>Introspection works with any key. The REST API is under <code>/v1</code>; its documentation is at
<a href="/docs">/docs</a>.</p>`,
);
