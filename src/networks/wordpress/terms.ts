import { labelKey } from '../../domain/posts/post.js';
import { numberAt, textAt } from '../http-client/json-path.js';
import type { Line } from '../http-client/network-client.js';
import type { Blog } from './blog.js';

type Taxonomy = 'categories' | 'tags';
interface Term {
  readonly id: number;
  readonly name: string;
}

/** So many names are looked up at once, and as many of a list's entries come on one page. */
const AT_ONCE = 5;
const PAGE = '100';

/**
 * The ids of a post's categories or tags by their names, ignoring case: those that the post has already, others that
 * the blog has, and what it does not have is made. Safe to repeat.
 */
export async function termIds(
  { blog, line }: { blog: Blog; line: Line },
  taxonomy: Taxonomy,
  { names, postId }: { names: readonly string[]; postId: string },
): Promise<number[]> {
  if (names.length === 0) return [];
  const there = await listTerms(blog, taxonomy, { post: postId });
  const ids: number[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    ids.push(
      ...(await Promise.all(
        names
          .slice(at, at + AT_ONCE)
          .map(
            async (name) =>
              idOf(name, there) ??
              idOf(name, await listTerms(blog, taxonomy, { search: name })) ??
              makeTerm({ blog, line }, taxonomy, name),
          ),
      )),
    );
  }
  return [...new Set(ids)];
}

async function listTerms(
  blog: Blog,
  taxonomy: Taxonomy,
  query: Readonly<Record<string, string>>,
): Promise<Term[]> {
  const found = await blog.ask('GET', `/wp/v2/${taxonomy}`, {
    ...query,
    per_page: PAGE,
    _fields: 'id,name',
  });
  return (Array.isArray(found) ? found : []).flatMap((one: unknown) => {
    const [id, name] = [numberAt(one, 'id'), textAt(one, 'name')];
    return id === null || name === null ? [] : [{ id, name: withoutEntities(name) }];
  });
}

async function makeTerm(
  { blog, line }: { blog: Blog; line: Line },
  taxonomy: Taxonomy,
  name: string,
): Promise<number> {
  const made = await blog.ask('POST', `/wp/v2/${taxonomy}`, {}, { name });
  return (
    numberAt(made, 'id') ?? numberAt(made, 'data', 'term_id') ?? line.unreadable(`id of ${name}`)
  );
}

const idOf = (name: string, terms: readonly Term[]): number | undefined =>
  (
    terms.find((term) => term.name === name) ??
    terms.find((term) => labelKey(term.name) === labelKey(name))
  )?.id;

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#039;': "'",
};
/** The blog tells names as they stand in a page. */
const withoutEntities = (name: string): string =>
  name.replace(/&(amp|lt|gt|quot|#039);/g, (entity) => ENTITIES[entity]!);
