import type { PostPatch } from '../../../src/domain/posts/post-fields.js';
import { SEARCHED_FIELDS } from '../../../src/domain/search/search-document.js';
import { dataInconsistencies } from '../../fixtures/data-inconsistencies.js';
import { resultsOf, targetsOf, updatedPost, withServices } from '../../fixtures/services.js';
import { ALL, idsOf, NEWEST } from '../posts/post-list-data.js';
import { forAllTests } from '../../fixtures/lifecycle.js';

const services = withServices();
const by = forAllTests(() => services.aViewer());

async function foundBy(query: string): Promise<string[]> {
  const slice = { kind: 'window', limit: 1000, fromEnd: false } as const;
  const page = await services.store.list(by, { filter: { query }, order: NEWEST, slice }, ALL);
  return idsOf(page.posts);
}

type SearchedField = (typeof SEARCHED_FIELDS)[number];

const urlOf = (word: string): string => `https://media.example.com/${word}.jpg`;
const picture = (caption: string) => ({ path: urlOf(caption), caption });
/** Sets a field to a text with a word. */
const PATCHES: Readonly<Record<SearchedField, (word: string) => PostPatch>> = {
  title: (word) => ({ title: `A ${word}` }),
  text: (word) => ({ text: `A ${word}` }),
  question: (word) => ({ question: `A ${word}?` }),
  options: (word) => ({ options: ['Other', `A ${word}`] }),
  excerpt: (word) => ({ excerpt: `A ${word}` }),
  content: (word) => ({
    content: [
      { type: 'list', data: { items: [{ content: `<b>A</b> ${word}`, items: [] }] } },
      { type: 'code', data: { code: 'other' } },
    ],
  }),
  tags: (word) => ({ tags: ['Other', `A ${word}`] }),
  categories: (word) => ({ categories: [`A ${word}`] }),
  link: (word) => ({ url: 'https://example.com/', link: { title: `A ${word}` } }),
  // The alternative text is that of the item in the library.
  featuredMedia: (word) => ({ featuredMedia: { path: urlOf(word) } }),
  media: (word) => ({ media: [picture('other'), picture(word)] }),
};

test.each(SEARCHED_FIELDS)('a change of %s changes what a search finds', async (field) => {
  const [first, second] = [`${field}first`, `${field}second`];
  const post = await services.aPost({ by, storedState: 'draft_undated' });
  if (field === 'featuredMedia')
    for (const altText of [first, second])
      await services.aMedia({ workspaceId: by.workspace.id, url: urlOf(altText), altText });
  updatedPost(await services.update(by, post, PATCHES[field](first)));
  expect(await foundBy(first)).toEqual([post.id]);
  updatedPost(await services.update(by, post, PATCHES[field](second)));
  expect(await foundBy(first)).toEqual([]);
  expect(await foundBy(second)).toEqual([post.id]);
  expect(await foundBy(`"a ${second}"`)).toEqual(field.endsWith('edia') ? [] : [post.id]);
  expect(await dataInconsistencies(services.database, [by])).toEqual([]);
});

test('no phrase spans two fields', async () => {
  const post = await services.aPost({ by, text: 'left side', title: 'right', excerpt: 'front' });
  expect(await foundBy('"left side"')).toEqual([post.id]);
  expect(await foundBy('"side right"')).toEqual([]);
  expect(await foundBy('"right left"')).toEqual([]);
  expect(await foundBy('"side front"')).toEqual([]);
});

test('posts of one creation that differ only in alternative texts are found by their own', async () => {
  const { id: workspaceId } = by.workspace;
  const accounts = await Promise.all([0, 1].map(() => services.anAccount({ workspaceId })));
  const results = resultsOf(
    await services.create(by, {
      targets: targetsOf(...accounts).map((target, n) => ({
        ...target,
        post: { media: [picture(`view${'ab'[n]}`)] },
      })),
    }),
  );
  expect(results.map(({ refusals }) => refusals)).toEqual([[], []]);
  expect((await foundBy('viewa')).length).toBe(1);
  expect((await foundBy('viewb')).length).toBe(1);
  expect((await foundBy('view')).length).toBe(2);
});
