import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './api-docs.css';
import { fetchDemoCredentials, headersOf, type Credentials } from '../playground/credentials.js';

/** Applies the color scheme of the browser to Swagger UI, which has a class for its dark one. */
function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    document.documentElement.classList.toggle('dark-mode', dark.matches);
  };
  dark.addEventListener('change', apply);
  apply();
}

interface Header {
  readonly $ref?: string;
  readonly description?: string;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name?: string;
    readonly schema?: { default?: unknown; examples?: unknown };
  }[];
  readonly requestBody?: { readonly content: Record<string, { example?: unknown }> };
  readonly responses: Record<string, { headers?: Record<string, Header> }>;
}

interface OpenApiDocument {
  readonly info: { description: string };
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly parameters: { readonly Workspace: { example?: string } };
    readonly headers: Record<string, Header>;
  };
}

const operationsOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.values(paths).flatMap((operations) => Object.values(operations));

/** Moves the response headers, which most operations share, into one table. */
function listHeadersOnce(openApi: OpenApiDocument): void {
  const descriptions = new Map<string, string>();
  for (const { responses } of operationsOf(openApi))
    for (const response of Object.values(responses)) {
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        const { description = '' } = header.$ref
          ? openApi.components.headers[header.$ref.split('/').at(-1)!]!
          : header;
        if (!descriptions.get(name)) descriptions.set(name, description);
      }
      delete response.headers;
    }
  const rows = [...descriptions].map(
    ([name, text]) => `| \`${name}\` | ${text.replaceAll('|', '\\|').replaceAll('\n', ' ')} |`,
  );
  openApi.info.description += [
    '\n\nResponses have these headers, where they apply:\n',
    '| header | content |',
    '| --- | --- |',
    ...rows,
  ].join('\n');
}

/** The account that examples use: one that takes a post without media. */
async function exampleAccountOf(demo: Credentials): Promise<string | undefined> {
  const response = await fetch('/v1/accounts', { headers: headersOf(demo) });
  if (!response.ok) return undefined;
  const { accounts } = (await response.json()) as { accounts: { id: string; provider: string }[] };
  return (accounts.find(({ provider }) => provider === 'mastodon') ?? accounts[0])?.id;
}

const DAY_MS = 86_400_000;
/** A time in the form of v1: whole seconds, in UTC. */
const tomorrow = (): string =>
  new Date(Date.now() + DAY_MS).toISOString().replace(/\.\d+Z$/, '+00:00');

/**
 * Makes “Try it out” work as offered: dry runs are on, posts are for tomorrow, and for an account of
 * the workspace. The webhook of the example has no address until the reader enters one.
 */
function prepareExamples(openApi: OpenApiDocument, accountId: string | undefined): void {
  for (const { parameters = [], requestBody } of operationsOf(openApi)) {
    for (const { name, schema } of parameters) {
      if (name === 'dry_run' && schema) schema.default = true;
      if (name === 'Idempotency-Key') delete schema?.examples;
    }
    for (const media of Object.values(requestBody?.content ?? {})) {
      if (media.example === undefined) continue;
      const text = JSON.stringify(media.example)
        .replaceAll(/"scheduled_at":"[^"]+"/g, `"scheduled_at":"${tomorrow()}"`)
        .replaceAll('hooks.example.com', '<your server>');
      media.example = JSON.parse(
        accountId ? text.replaceAll(/\bacc_\w+/g, accountId) : text,
      ) as unknown;
    }
  }
}

/** Shows the API docs with "Try it out". With the demo data, key and workspace are filled in. */
async function open(): Promise<void> {
  const [openApi, demo] = await Promise.all([
    fetch('/v1/openapi.json').then((response) => response.json() as Promise<OpenApiDocument>),
    fetchDemoCredentials().catch(() => null),
  ]);
  if (demo) openApi.components.parameters.Workspace.example = demo.workspaceId;
  prepareExamples(openApi, demo ? await exampleAccountOf(demo) : undefined);
  listHeadersOnce(openApi);
  const ui = SwaggerUIBundle({
    domNode: document.getElementById('page')!,
    spec: openApi,
    validatorUrl: null, // the default sends the URL of the document to a public validator
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    onComplete: () => {
      if (demo) ui.preauthorizeApiKey('apiKey', headersOf(demo)['Authorization']!);
    },
  });
}

/** Removes the links to pages that are off on this gateway. */
async function removeDeadLinks(): Promise<void> {
  const { ok } = await fetch('/playground', { method: 'HEAD' });
  if (!ok) document.querySelectorAll('.pages a:not([href="/"])').forEach((link) => link.remove());
}

followColorScheme();
void removeDeadLinks();
void open();
