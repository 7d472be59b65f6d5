/** What an answer may come as (GraphQL over HTTP), the first where nothing is preferred. */
const MEDIA_TYPES = ['application/json', 'application/graphql-response+json'] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

interface Preference {
  readonly quality: number;
  readonly exactness: number;
  readonly place: number;
}

function preferenceFor(type: MediaType, accept: readonly string[]): Preference | null {
  const ranges = ['*/*', 'application/*', type];
  const matches = accept.flatMap((entry, place) => {
    const [range = '', ...parameters] = entry
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const exactness = ranges.indexOf(range);
    const quality = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? 1);
    return exactness < 0
      ? []
      : [{ exactness, place, quality: Number.isNaN(quality) ? 0 : quality }];
  });
  // The most exact range decides about a type; with equal ones, the first.
  return matches.sort((a, b) => b.exactness - a.exactness || a.place - b.place)[0] ?? null;
}

/** The type that an Accept header prefers; null where it takes none of ours. Without a header it is plain JSON. */
export function chooseMediaType(accept: string | undefined): MediaType | null {
  if (!accept?.trim()) return MEDIA_TYPES[0];
  const entries = accept.split(',');
  const preferred = MEDIA_TYPES.map((type) => ({ type, preference: preferenceFor(type, entries) }))
    .filter(
      (one): one is { type: MediaType; preference: Preference } =>
        one.preference !== null && one.preference.quality > 0,
    )
    .sort(
      ({ preference: a }, { preference: b }) =>
        b.quality - a.quality || b.exactness - a.exactness || a.place - b.place,
    );
  return preferred[0]?.type ?? null;
}
