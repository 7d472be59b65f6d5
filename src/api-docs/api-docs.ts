import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './api-docs.css';
import { headersOf, fetchDemoCredentials } from '../playground/credentials.js';

/** Applies the color scheme of the browser to Swagger UI, which has a class for its dark one. */
function followColorScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    document.documentElement.classList.toggle('dark-mode', dark.matches);
  };
  dark.addEventListener('change', apply);
  apply();
}

interface OpenApiDocument {
  components: { parameters: { Workspace: { example?: string } } };
}

/** Shows the API docs with "Try it out". With the demo data, key and workspace are filled in. */
async function open(): Promise<void> {
  const [openApi, demo] = await Promise.all([
    fetch('/v1/openapi.json').then((response) => response.json() as Promise<OpenApiDocument>),
    fetchDemoCredentials().catch(() => null),
  ]);
  if (demo) openApi.components.parameters.Workspace.example = demo.workspaceId;
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

followColorScheme();
void open();
