import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An entry of package-lock.json. */
export interface Locked {
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const { packages } = JSON.parse(
  readFileSync(path.resolve(__dirname, '../../package-lock.json'), 'utf8'),
) as { packages: Record<string, Locked> };

/** Where Node.js finds a package that a package imports: in the nearest node_modules. */
function placeOf(name: string, from: string): string | undefined {
  const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (packages[place]) return place;
  return from === ''
    ? undefined
    : placeOf(name, from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ''));
}

/** These packages and all that they depend on, without optional ones if `omitsOptional`. */
export function lockedClosure(
  names: readonly string[],
  { omitsOptional = false } = {},
): (Locked & { readonly place: string })[] {
  const places = new Set<string>();
  const visit = (name: string, from: string): void => {
    const place = placeOf(name, from);
    if (!place || places.has(place)) return;
    places.add(place);
    const { dependencies = {}, optionalDependencies = {} } = packages[place]!;
    const wanted = omitsOptional ? dependencies : { ...dependencies, ...optionalDependencies };
    Object.keys(wanted).forEach((other) => visit(other, place));
  };
  names.forEach((name) => visit(name, ''));
  return [...places].map((place) => ({ ...packages[place]!, place }));
}
