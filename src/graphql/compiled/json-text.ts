import type { FormattedExecutionResult } from 'graphql';

/** JSON that is written already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** An answer as text, whichever way its data came. What was planned has no errors. */
export function stringifyResult(result: FormattedExecutionResult): string {
  const data: unknown = result.data;
  return data instanceof JsonText
    ? `{"data":${data.text},"extensions":${JSON.stringify(result.extensions ?? {})}}`
    : JSON.stringify(result);
}
