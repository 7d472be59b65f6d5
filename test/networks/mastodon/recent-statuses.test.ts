import type { PreparedPost, SentPost } from '../../../src/services/networks/network-ports.js';
import { aPost } from '../../fixtures/posts.js';
import { createTestHttpClient } from '../stand-ins/edit-requests.js';
import { aStatus, mastodonCase, startMastodon } from '../stand-ins/mastodon.js';
import { NOW } from '../stand-ins/network-case.js';

const http = createTestHttpClient();
const account = { ...aPost().account!, network: 'mastodon' as const };

/** Prepares a post, lets `others` statuses follow, and looks for the post. */
async function lookAfter(others: { text: string; minutesAgo: number; isLater?: boolean }[]) {
  const state = aStatus();
  const statuses = others.map(({ text, minutesAgo }, index) => ({
    id: String(1_000 + index),
    created_at: new Date(NOW.getTime() - minutesAgo * 60_000).toISOString(),
    sent: { status: text },
  }));
  const isLater = (index: number): boolean => others[index]!.isLater ?? false;
  state.published.push(...statuses.filter((_, index) => !isLater(index)));
  const standIn = await startMastodon(state);
  const { publisher } = mastodonCase.adapter(http, standIn.url);
  const target = {
    account,
    credentials: mastodonCase.credentials(standIn.url),
    post: aPost({ network: 'mastodon', account, text: 'Beans' }),
  };
  const { handle } = (await publisher!.prepare(target)) as PreparedPost;
  state.published.unshift(...statuses.filter((_, index) => isLater(index)));
  const sent: SentPost = { ...target, handle, sentAt: NOW };
  const result = await publisher!.look(sent);
  await standIn.close();
  expect(standIn.violations).toEqual([]);
  return 'remoteId' in result ? result.remoteId : result.kind;
}

it('takes no status for the post that was there before it was prepared', async () => {
  expect(await lookAfter([{ text: 'Beans', minutesAgo: 0 }])).toBe('not_there');
});

it('finds the post among later statuses', async () => {
  expect(
    await lookAfter([
      { text: 'Later', minutesAgo: 0, isLater: true },
      { text: 'Beans', minutesAgo: 0, isLater: true },
      { text: 'Beans', minutesAgo: 0 },
    ]),
  ).toBe('1001');
});

it('takes no status for the post that is older than the call', async () => {
  expect(await lookAfter([{ text: 'Beans', minutesAgo: 3, isLater: true }])).toBe('not_there');
});

it('cannot tell if the account has had more statuses since then than are listed', async () => {
  const other = { text: 'Other', minutesAgo: 0, isLater: true };
  expect(await lookAfter(Array.from({ length: 39 }, () => other))).toBe('not_there');
  expect(await lookAfter(Array.from({ length: 41 }, () => other))).toBe('cannot_tell');
});
