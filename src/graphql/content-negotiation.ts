/** Media types of responses (GraphQL over HTTP). The first one is the default. */
const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'] as const;
/** Media type of a response. */
export type ResponseMediaType = (typeof MEDIA_TYPES)[number];

interface Preference {
  readonly quality: number;
  readonly specificity: number;
  readonly position: number;
}

function preferenceFor(type: ResponseMediaType, accept: readonly string[]): Preference | null {
  const ranges = ['*/*', 'application/*', type];
  const matches = accept.flatMap((entry, position) => {
    const [range = '', ...parameters] = entry
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const specificity = ranges.indexOf(range);
    const quality = Number(
      parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1,
    );
    return specificity < 0
      ? []
      : [{ specificity, position, quality: Number.isNaN(quality) ? 0 : quality }];
  });
  // The most specific range applies; of equally specific ones, the first.
  return (
    matches.sort((a, b) => b.specificity - a.specificity || a.position - b.position)[0] ?? null
  );
}

/**
 * Media type that an Accept header prefers; null if it accepts none. Without a header, plain JSON.
 */
export function chooseResponseMediaType(accept: string | undefined): ResponseMediaType | null {
  if (!accept?.trim()) return MEDIA_TYPES[0];
  const entries = accept.split(',');
  const preferred = MEDIA_TYPES.map((type) => ({ type, preference: preferenceFor(type, entries) }))
    .filter(
      (candidate): candidate is { type: ResponseMediaType; preference: Preference } =>
        candidate.preference !== null && candidate.preference.quality > 0,
    )
    .sort(
      ({ preference: a }, { preference: b }) =>
        b.quality - a.quality || b.specificity - a.specificity || a.position - b.position,
    );
  return preferred[0]?.type ?? null;
}

/** Media type of event streams. */
const EVENT_STREAM = 'text/event-stream';

/** Whether an Accept header names event streams. A wildcard does not: its client expects JSON. */
export const acceptsEventStream = (accept: string | undefined): boolean =>
  (accept ?? '')
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
      return range === EVENT_STREAM && !parameters.some((p) => /^q=0(\.0*)?$/.test(p));
    });
