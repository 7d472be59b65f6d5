declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerUi {
    preauthorizeApiKey(scheme: string, value: string): void;
  }
  /** Renders an OpenAPI document in an element. Declares only the options that are used here. */
  export default function SwaggerUIBundle(options: {
    domNode: Element;
    spec: unknown;
    validatorUrl: null;
    deepLinking: boolean;
    displayRequestDuration: boolean;
    tryItOutEnabled: boolean;
    defaultModelsExpandDepth: number;
    onComplete(): void;
  }): SwaggerUi;
}
