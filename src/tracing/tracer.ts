/** Facts about a span: names and numbers from the code, never text of clients or networks. */
export type Attributes = Readonly<Record<string, string | number>>;

/** A piece of work that is timed as part of a trace. */
export interface SpanDescription {
  /** Low-cardinality name. */
  readonly name: string;
  readonly kind: 'server' | 'consumer' | 'client';
  /**
   * The `traceparent` of the work that caused this one; null starts a trace. By default, the span
   * is part of the current one.
   */
  readonly parent?: string | null;
  readonly attributes?: Attributes;
}

/** How a span ended. */
export interface SpanResult {
  /** Replaces the name, if it was not known at the start. */
  readonly name?: string;
  readonly attributes?: Attributes;
  /** Code of the failure. */
  readonly error?: string | null;
}

/** A span that has not ended. */
export interface ActiveSpan {
  /** Runs work in which this span is the current one. */
  run<Result>(work: () => Result): Result;
  end(result?: SpanResult): void;
}

/** Creates spans. */
export interface Tracer {
  start(span: SpanDescription): ActiveSpan;
  /** The current span in the format of the header `traceparent`; null outside of spans. */
  traceparent(): string | null;
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'Error');
};

/** Runs work in a span, which ends with it. `describe` reads the result of the work. */
export async function inSpan<Result>(
  tracer: Tracer,
  span: SpanDescription,
  { work, describe }: { work: () => Promise<Result>; describe: (result: Result) => SpanResult },
): Promise<Result> {
  const active = tracer.start(span);
  try {
    const result = await active.run(work);
    active.end(describe(result));
    return result;
  } catch (error) {
    active.end({ error: codeOf(error) });
    throw error;
  }
}
