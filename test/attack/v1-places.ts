import openapi from '../../src/rest/openapi.json' with { type: 'json' };

/** A parameter of REST v1, or of the sandbox, that a caller chooses. */
export interface V1Place {
  /** As `GET /v1/posts/{id}: path id`. */
  readonly name: string;
  readonly method: string;
  /** Where to, with this in the place, and what the headers say. */
  request(inPlace: string): { path: string; headers: Readonly<Record<string, string>>; body?: unknown };
}

interface Parameter { name: string; in: 'path' | 'query' | 'header'; required?: boolean }
interface Operation { parameters?: (Parameter | { $ref: string })[]; requestBody?: unknown }

const COMMON = openapi.components.parameters as unknown as Record<string, Parameter>;
const toParameter = (one: Parameter | { $ref: string }): Parameter => ('$ref' in one ? COMMON[one.$ref.split('/').at(-1)!]! : one);

/** What else has to be sent for an operation to run: values of parameters by name, and bodies by operation. */
export interface V1Surroundings { readonly parameters: Readonly<Record<string, string>>; readonly bodies: Readonly<Record<string, unknown>> }

/** Every parameter of every operation of the OpenAPI document. */
export function v1Places({ parameters: given, bodies }: V1Surroundings): V1Place[] {
  const operations = Object.entries(openapi.paths).flatMap(([path, verbs]) => Object.entries(verbs as Record<string, Operation>).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), operation })));
  return operations.flatMap(({ path, method, operation }) => {
    const all = (operation.parameters ?? []).map(toParameter);
    const valueOf = (place: Parameter, inPlace: string) => (one: Parameter): string | undefined => (one === place ? inPlace : given[`${method} ${one.name}`] ?? (one.required ? given[one.name] : undefined));
    return all.map((place): V1Place => ({
      name: `${method} ${path}: ${place.in} ${place.name}`, method,
      request(inPlace) {
        const sent = all.flatMap((one) => {
          const value = valueOf(place, inPlace)(one);
          return value === undefined ? [] : [{ ...one, value }];
        });
        const of = (kind: Parameter['in']) => sent.filter((one) => one.in === kind);
        const query = new URLSearchParams(of('query').map(({ name, value }): [string, string] => [name, value]));
        return {
          path: of('path').reduce((rest, { name, value }) => rest.replace(`{${name}}`, encodeURIComponent(value)), path) + (query.size > 0 ? `?${query}` : ''),
          headers: Object.fromEntries(of('header').map(({ name, value }) => [name, value])),
          ...(`${method} ${path}` in bodies && { body: bodies[`${method} ${path}`] }),
        };
      },
    }));
  });
}
