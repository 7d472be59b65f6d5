import {
  changedLiveFields,
  goesToNetwork,
  isEditable,
  liveFields,
  liveTextOf,
  withLiveFields,
} from '../../src/domain/networks/live-fields.js';
import { NETWORKS } from '../../src/domain/networks/networks.js';
import { wordsOf } from '../../src/domain/vocabulary.js';
import { aPost } from '../fixtures/posts.js';

test('a change goes to the network where something shown there is another now', () => {
  const post = aPost({
    cell: 'published_posted',
    network: 'mastodon',
    details: { language: 'de' },
  });
  expect(
    goesToNetwork(post, { ...post, labels: [{ id: 'lbl_1', name: 'x', color: '#808080' }] }),
  ).toBe(false);
  expect(goesToNetwork(post, { ...post, details: { language: 'de' } })).toBe(false);
  expect(goesToNetwork(post, { ...post, details: null })).toBe(true);
  expect(goesToNetwork(post, { ...post, text: 'New' })).toBe(true);
  expect(goesToNetwork({ ...post, cell: 'scheduled' }, { ...post, text: 'New' })).toBe(false);
  expect(goesToNetwork({ ...post, cell: 'published_hidden' }, { ...post, text: 'New' })).toBe(
    false,
  );
});

test('live fields are the rows of the table for the network and the type', () => {
  const poll = aPost({
    cell: 'published_posted',
    network: 'mastodon',
    type: 'poll',
    text: 'Which?',
    options: ['a', 'b'],
    duration: 2,
  });
  expect(liveFields(poll)).toEqual({
    text: 'Which?',
    title: null,
    'details.language': null,
    options: ['a', 'b'],
    duration: 2,
  });
  expect(Object.keys(liveFields({ ...poll, type: 'status' }))).toEqual([
    'text',
    'title',
    'details.language',
  ]);
  expect(liveFields({ ...poll, network: null })).toEqual({});
  expect(liveTextOf(poll)).toBe('Which?');
  expect(liveTextOf({ ...poll, network: 'wordpress', type: 'article' })).toBeNull();
});

test('a field differs by its value, not by the order of its keys or by being absent', () => {
  expect(
    changedLiveFields(
      { text: 'a', content: [{ type: 'header', data: { level: 2, text: 'x' } }] },
      { text: 'b', content: [{ data: { text: 'x', level: 2 }, type: 'header' }], excerpt: null },
    ),
  ).toEqual(['text']);
});

test('a post can be shown with what is live instead of what is saved', () => {
  const post = aPost({
    cell: 'published_posted',
    text: 'Saved',
    details: { language: 'de', comment: true },
  });
  const shown = withLiveFields(post, { text: 'Live', 'details.language': 'en' });
  expect(shown).toEqual({ ...post, text: 'Live', details: { language: 'en', comment: true } });
  expect(liveFields(withLiveFields({ ...post, details: null }, liveFields(shown)))).toEqual(
    liveFields(shown),
  );
  expect(withLiveFields(post, {})).toEqual(post);
});

test('the networks of the last row take no edits', () => {
  expect(wordsOf(NETWORKS).filter((network) => !isEditable(network))).toEqual([
    'instagram',
    'threads',
    'tiktok',
    'twitter',
    'bluesky',
    'pinterest',
  ]);
});
