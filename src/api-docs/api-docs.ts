import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './api-docs.css';
import { headersOf, readDemo } from '../playground/credentials.js';

interface Reference {
  components: { parameters: { Workspace: { example?: string } } };
}

/** The reference with "Try it out"; on the demo its key and workspace are filled in. */
async function open(): Promise<void> {
  const [reference, demo] = await Promise.all([
    fetch('/v1/openapi.json').then((response) => response.json() as Promise<Reference>),
    readDemo().catch(() => null),
  ]);
  if (demo) reference.components.parameters.Workspace.example = demo.workspaceId;
  const ui = SwaggerUIBundle({
    domNode: document.getElementById('page')!,
    spec: reference,
    validatorUrl: null, // the default sends the document's address to a server of its makers
    deepLinking: true,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    defaultModelsExpandDepth: 0,
    onComplete: () => {
      if (demo) ui.preauthorizeApiKey('apiKey', headersOf(demo)['Authorization']!);
    },
  });
}

void open();
