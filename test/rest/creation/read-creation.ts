import type { CreationItem } from '../../../src/services/posts/creation/creation-request.js';
import {
  createCreationReader,
  type CreationRoute,
  toCreationItems,
} from '../../../src/rest/posts/creation-body.js';
import { presentPath } from '../../../src/rest/errors.js';
import { readBody } from '../../../src/rest/body-readers.js';
import { createFieldMapping } from '../../../src/rest/field-mapping.js';
import { postPatch } from '../post-patch-type.js';

const fieldMapping = createFieldMapping(postPatch);
/** Reads a body. */
export const read = (body: unknown, route: CreationRoute = 'schedule') =>
  readBody(createCreationReader(fieldMapping, route), body);

export type Fields = Record<string, unknown>;
/** A content. */
export const STATUS: Fields = { type: 'status', text: 'Hi' };
/** A body with one entry. */
export const bodyOf = (entry: Fields, state = 'scheduled') => ({
  bulk: { state, posts: [{ networks: { default: STATUS }, accounts: [{ id: 'a' }], ...entry }] },
});
/** A body with one entry, whose content also has these fields. */
export const contentOf = (content: Fields) =>
  bodyOf({ networks: { default: { ...STATUS, ...content } } });

/** The item of a body with one entry. @throws Error if it has problems */
export function itemOf(body: unknown, route: CreationRoute = 'schedule'): CreationItem {
  const { value, problems } = read(body, route);
  if (!value) throw new Error(JSON.stringify(problems));
  return toCreationItems(value, route)[0]!;
}
/** The problems of a body, as the API reports them. */
export const problemsOf = (body: unknown, route?: CreationRoute): string[] =>
  read(body, route).problems.map(({ path, message }) =>
    path.length > 0 ? `${presentPath(path)}: ${message}` : message,
  );
