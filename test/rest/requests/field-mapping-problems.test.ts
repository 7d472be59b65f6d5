import fc from 'fast-check';
import { isInputObjectType, isListType, isNonNullType, type GraphQLInputType } from 'graphql';
import { presentPath } from '../../../src/rest/errors.js';
import { createFieldMapping, v1FieldsOf } from '../../../src/rest/field-mapping.js';
import { postPatch } from '../post-patch-type.js';

const fieldMapping = createFieldMapping(postPatch);
const read = (post: unknown) => fieldMapping.readPost({ post });
const paths = (post: unknown): string[] => read(post).problems.map(({ path }) => presentPath(path));

describe('problems of readPost', () => {
  it.each<[unknown, string[]]>([
    [{ text: 5 }, ['post.text']],
    [{ duration: 2147483648 }, ['post.duration']],
    [{ duration: 1.5 }, ['post.duration']],
    [{ labels: 'x' }, ['post.labels']],
    [{ labels: [null] }, ['post.labels[0]']],
    [
      { labels: [{ name: 'A' }, { name: 5, color: 'red' }] },
      ['post.labels[1].name', 'post.labels[1].color'],
    ],
    [{ link: [] }, ['post.link']],
    [{ link: { url: 'ftp://x' } }, ['post.link.url']],
    [{ type: 'tweet' }, ['post.type']],
    [{ scheduled_at: '2026-12-01T00:00:00Z' }, ['post.scheduled_at']],
    [{ scheduledAt: '2026-12-01T00:00:00Z' }, ['post.scheduledAt']],
    [{ featuredMedia: { path: 'https://example.com/a.png' } }, ['post.featuredMedia']],
    [
      { media: [{ id: 'med_1', inLibrary: true, user_tags: [{ left: 1 }] }] },
      ['post.media[0].inLibrary', 'post.media[0].user_tags[0].left'],
    ],
    [{ recurring: { repeat_rate: '1' } }, ['post.recurring.repeat_rate']],
    [{ details: { text_format_preset_id: 1 } }, ['post.details.text_format_preset_id']],
    [{ content: [{ type: 'paragraph', data: 'x' }] }, ['post.content[0].data']],
    [{ text: 'a\0b', title: '\ud800' }, ['post.text', 'post.title']],
    [
      JSON.parse('{"__proto__": {"text": "x"}, "constructor": 1}'),
      ['post.__proto__', 'post.constructor'],
    ],
  ])('rejects %j', (post, expected) => expect(paths(post).sort()).toEqual([...expected].sort()));

  it('lists what is allowed', () => {
    expect(read({ location: { id: '1', city: 'x' } }).problems).toEqual([
      { path: ['post', 'location', 'city'], message: 'unknown key; allowed: id, name' },
    ]);
    expect(read({ labels: [{}] }).problems).toEqual([
      { path: ['post', 'labels', 0], message: 'requires name' },
    ]);
  });

  it.each<[unknown, string[]]>([
    [undefined, ['']],
    [null, ['']],
    [[], ['']],
    ['x', ['']],
    [{}, ['post']],
    [{ post: null }, ['post']],
    [{ post: [] }, ['post']],
    [{ post: 'x' }, ['post']],
    [{ post: {}, id: '1' }, ['id']],
    [{ text: 'x' }, ['text', 'post']],
  ])('rejects the body %j, which is not {"post": {…}}', (body, expected) => {
    expect(fieldMapping.readPost(body).problems.map(({ path }) => presentPath(path))).toEqual(
      expected,
    );
  });

  describe('reports the path of a value of the wrong type', () => {
    /** Every leaf of the input: its path, and a function that wraps a value for this path. */
    const leaves = (
      type: GraphQLInputType,
      path: string,
      wrap: (value: unknown) => unknown,
    ): [string, (value: unknown) => unknown][] => {
      if (isNonNullType(type)) return leaves(type.ofType, path, wrap);
      if (isListType(type)) return leaves(type.ofType, `${path}[0]`, (value) => wrap([value]));
      if (!isInputObjectType(type)) return [[path, wrap]];
      return [...v1FieldsOf(type)].flatMap(([key, field]) =>
        leaves(field.type, `${path}.${key}`, (value) => wrap({ [key]: value })),
      );
    };
    // JSON leaves accept objects, but no leaf accepts a list.
    it.each(leaves(postPatch, 'post', (value) => value))('%s', (path, wrap) =>
      expect(paths(wrap([[true]]))).toContain(path),
    );
  });

  it('never throws, and omits rejected fields from the patch', () => {
    const key = fc.constantFrom(
      ...v1FieldsOf(postPatch).keys(),
      'name',
      'path',
      'id',
      'url',
      'data',
      'x',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 6 }), (post) => {
        const { patch, problems } = read(post);
        expect(problems.every(({ path }) => path[0] === 'post')).toBe(true);
        expect(read(post)).toEqual({ patch, problems });
      }),
    );
  });
});
