import {
  changedLiveFields,
  needsNetworkEdit,
  liveFields,
  liveTextOf,
  withLiveFields,
} from '../../../src/domain/networks/live-fields.js';
import { NETWORKS, supportsEdits } from '../../../src/domain/networks/networks.js';
import { enumKeys } from '../../../src/domain/enums.js';
import { aPost } from '../../fixtures/posts.js';

test('a change needs a network edit if a live field changed', () => {
  const post = aPost({
    storedState: 'published_posted',
    network: 'mastodon',
    details: { language: 'de' },
  });
  expect(
    needsNetworkEdit(post, { ...post, labels: [{ id: 'lbl_1', name: 'x', color: '#808080' }] }),
  ).toBe(false);
  expect(needsNetworkEdit(post, { ...post, details: { language: 'de' } })).toBe(false);
  expect(needsNetworkEdit(post, { ...post, details: null })).toBe(true);
  expect(needsNetworkEdit(post, { ...post, text: 'New' })).toBe(true);
  expect(needsNetworkEdit({ ...post, storedState: 'scheduled' }, { ...post, text: 'New' })).toBe(
    false,
  );
  expect(
    needsNetworkEdit({ ...post, storedState: 'published_hidden' }, { ...post, text: 'New' }),
  ).toBe(false);
});

test('live fields are the rows of the table for the network and the post type', () => {
  const poll = aPost({
    storedState: 'published_posted',
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

test('fields are compared by value, ignoring key order and absent keys', () => {
  expect(
    changedLiveFields(
      { text: 'a', content: [{ type: 'header', data: { level: 2, text: 'x' } }] },
      { text: 'b', content: [{ data: { text: 'x', level: 2 }, type: 'header' }], excerpt: null },
    ),
  ).toEqual(['text']);
});

test('withLiveFields replaces saved values by live ones', () => {
  const post = aPost({
    storedState: 'published_posted',
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

test('the networks of the first rows support edits', () => {
  expect(enumKeys(NETWORKS).filter(supportsEdits)).toEqual([
    'facebook',
    'mastodon',
    'linkedin',
    'google',
    'youtube',
    'wordpress',
    'telegram',
  ]);
});
