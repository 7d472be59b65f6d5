import {
  accountRefusals,
  checkPublishable,
} from '../../../src/domain/creation/check-publishable.js';
import type { PostType } from '../../../src/domain/enums.js';
import { NETWORKS, type Network } from '../../../src/domain/networks/networks.js';
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
  expect(pathsOf('bluesky', 'poll')).toEqual(['type RULE_VIOLATION D48']);
  expect(pathsOf('bluesky', 'photo', { media: ['photo', 'document'] })).toEqual([
    'media.1 RULE_VIOLATION D48',
  ]);
  expect(pathsOf('wordpress', 'article', { media: ['photo'] })).toEqual([
    'media.0 RULE_VIOLATION D48',
  ]);
});

it('refuses content that the network would not take', () => {
  expect(pathsOf('bluesky', 'photo')).toEqual(['media RULE_VIOLATION D47']);
  expect(pathsOf('bluesky', 'photo', { media: ['photo', 'video'] })).toEqual([
    'media.1 RULE_VIOLATION D47',
  ]);
  expect(pathsOf('telegram', 'carousel', { media: ['photo', 'gif'] })).toEqual([
    'media.1 RULE_VIOLATION D47',
  ]);
  expect(pathsOf('telegram', 'carousel', { media: ['photo', 'document'] })).toEqual([
    'media RULE_VIOLATION D47',
  ]);
  expect(pathsOf('facebook', 'video', { media: ['photo'], sandbox: true })).toEqual([
    'media.0 RULE_VIOLATION D47',
  ]);
});

it('accepts everything else', () => {
  expect(pathsOf('bluesky', 'photo', { media: ['photo'] })).toEqual([]);
  expect(pathsOf('wordpress', 'article')).toEqual([]);
  expect(pathsOf('mastodon', 'video', { media: ['video'] })).toEqual([]);
  expect(pathsOf('telegram', 'carousel', { media: ['photo', 'video'] })).toEqual([]);
});

it('accepts reminders, and what the network has on the sandbox network', () => {
  expect(pathsOf('wordpress', 'article', { media: ['photo'], reminder: true })).toEqual([]);
  expect(pathsOf('wordpress', 'article', { media: ['photo'], sandbox: true })).toEqual([]);
  expect(pathsOf('facebook', 'status', { sandbox: true })).toEqual([]);
});

it('refuses accounts of a network on which the service does not publish, except for reminders', () => {
  const { publishing } = NETWORKS.tiktok;
  const replaced = jest.replaceProperty(NETWORKS.tiktok as { publishing: object }, 'publishing', {
    ...publishing,
    publishes: false,
  });
  const account = { ...aPost().account!, network: 'tiktok' as const, sandbox: false };
  expect(accountRefusals(account, { reminder: false })).toMatchObject([
    {
      path: ['accountId'],
      rule: 'D48',
      message: expect.stringContaining('The gateway does not publish to tiktok.'),
    },
  ]);
  expect(accountRefusals(account, { reminder: true })).toEqual([]);
  expect(accountRefusals({ ...account, sandbox: true }, { reminder: false })).toEqual([]);
  replaced.restore();
});
