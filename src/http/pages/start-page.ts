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
