import { labelKey } from '../../domain/posts/post-content.js';
import { decodeEntities } from '../html-text.js';
import { numberAt, textAt } from '../http-client/json-path.js';
import type { BlogConnection, WordpressApi } from './wordpress-api.js';

type Taxonomy = 'categories' | 'tags';
interface Term {
  readonly id: number;
  readonly name: string;
}

const MAX_CONCURRENT_LOOKUPS = 5;
/** The REST API's maximum. */
const PAGE_SIZE = '100';

/**
 * Returns the IDs of categories or tags with these names, ignoring case: first among the terms of
 * the post, which is null if it is not on the blog yet, then among those of the blog. Creates
 * missing terms. Idempotent.
 */
export async function findOrCreateTerms(
  { api, client }: BlogConnection,
  taxonomy: Taxonomy,
  { names, postId }: { names: readonly string[]; postId: string | null },
): Promise<number[]> {
  if (names.length === 0) return [];
  const postTerms = postId === null ? [] : await listTerms(api, taxonomy, { post: postId });
  const ids: number[] = [];
  for (let start = 0; start < names.length; start += MAX_CONCURRENT_LOOKUPS) {
    ids.push(
      ...(await Promise.all(
        names
          .slice(start, start + MAX_CONCURRENT_LOOKUPS)
          .map(
            async (name) =>
              findTermId(name, postTerms) ??
              findTermId(name, await listTerms(api, taxonomy, { search: name })) ??
              createTerm({ api, client }, taxonomy, name),
          ),
      )),
    );
  }
  return [...new Set(ids)];
}

async function listTerms(
  api: WordpressApi,
  taxonomy: Taxonomy,
  query: Readonly<Record<string, string>>,
): Promise<Term[]> {
  const terms = await api.get(`/wp/v2/${taxonomy}`, {
    ...query,
    per_page: PAGE_SIZE,
    _fields: 'id,name',
  });
  return (Array.isArray(terms) ? terms : []).flatMap((term: unknown) => {
    const [id, name] = [numberAt(term, 'id'), textAt(term, 'name')];
    return id === null || name === null ? [] : [{ id, name: decodeEntities(name) }];
  });
}

async function createTerm(
  { api, client }: BlogConnection,
  taxonomy: Taxonomy,
  name: string,
): Promise<number> {
  const created = await api.post(`/wp/v2/${taxonomy}`, {}, { name });
  return (
    numberAt(created, 'id') ??
    numberAt(created, 'data', 'term_id') ??
    client.throwMissing(`ID of ${name}`)
  );
}

const findTermId = (name: string, terms: readonly Term[]): number | undefined =>
  (
    terms.find((term) => term.name === name) ??
    terms.find((term) => labelKey(term.name) === labelKey(name))
  )?.id;
