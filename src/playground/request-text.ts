import type { toRequest } from './fetcher.js';

type Request = ReturnType<typeof toRequest>;

/** Programs that send a request by POST: as a command line, and in JavaScript. */
export const REQUEST_TEXTS = {
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
