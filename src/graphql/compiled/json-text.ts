import type { FormattedExecutionResult } from 'graphql';

/** Serialized JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Serializes a result of compiled execution or of graphql-js. A compiled result has no errors. */
export function stringifyResult(result: FormattedExecutionResult): string {
  const data: unknown = result.data;
  return data instanceof JsonText
    ? `{"data":${data.text},"extensions":${JSON.stringify(result.extensions ?? {})}}`
    : JSON.stringify(result);
}
