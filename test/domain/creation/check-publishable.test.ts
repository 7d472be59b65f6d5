import { checkPublishable } from '../../../src/domain/creation/check-publishable.js';
import type { PostType } from '../../../src/domain/enums.js';
import type { Network } from '../../../src/domain/networks/networks.js';
import type { MediaType } from '../../../src/domain/posts/post-content.js';
import { anAttachment, aPost } from '../../fixtures/posts.js';

interface Given {
  readonly media?: readonly MediaType[];
  readonly sandbox?: boolean;
  readonly reminder?: boolean;
}

const pathsOf = (
  network: Network,
  type: PostType,
  { media = [], sandbox = false, reminder = false }: Given = {},
): string[] =>
  checkPublishable(
    aPost({
      network,
      type,
      title: 'Title',
      reminder,
      media: media.map((mediaType) => anAttachment({ type: mediaType })),
    }),
    { network, sandbox },
  ).map(({ path, code, rule }) => `${path.join('.')} ${code} ${rule}`);

it('refuses types of posts and media that the network would not get', () => {
  expect(pathsOf('bluesky', 'video', { media: ['video'] })).toEqual(['type RULE_VIOLATION D48']);
  expect(pathsOf('bluesky', 'photo', { media: ['photo', 'gif', 'video'] })).toEqual([
    'media.1 RULE_VIOLATION D48',
    'media.2 RULE_VIOLATION D48',
  ]);
  expect(pathsOf('wordpress', 'article', { media: ['photo'] })).toEqual([
    'media.0 RULE_VIOLATION D48',
  ]);
});

it('refuses content that the network would not take', () => {
  expect(pathsOf('bluesky', 'photo')).toEqual(['media RULE_VIOLATION D47']);
});

it('accepts everything else', () => {
  expect(pathsOf('bluesky', 'photo', { media: ['photo'] })).toEqual([]);
  expect(pathsOf('wordpress', 'article')).toEqual([]);
  expect(pathsOf('mastodon', 'video', { media: ['video'] })).toEqual([]);
  expect(pathsOf('telegram', 'carousel', { media: ['photo', 'document'] })).toEqual([]);
});

it('accepts reminders, and everything on the sandbox network', () => {
  expect(pathsOf('bluesky', 'video', { media: ['video'], reminder: true })).toEqual([]);
  expect(pathsOf('bluesky', 'video', { media: ['video'], sandbox: true })).toEqual([]);
  expect(pathsOf('facebook', 'status', { sandbox: true })).toEqual([]);
});
