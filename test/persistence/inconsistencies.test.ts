import { dataInconsistencies } from '../fixtures/data-inconsistencies.js';
import { withServices } from '../fixtures/services.js';

const shop = withServices();

it.each([
  ['a version without its revision', 'DELETE FROM revision', / has version 2 and revisions none$/],
  [
    'a cap slot that its post does not need',
    "UPDATE cap_slot SET at = at + interval '1 hour'",
    / has the cap slots acc_.*; expected acc_/,
  ],
  [
    'a cap slot of a deleted post',
    'UPDATE post SET deleted_at = now()',
    / is deleted and has 1 cap slots$/,
  ],
  ['outdated search terms', "UPDATE post_search SET tokens = '{}'", / is indexed as .*; expected /],
  ['a post without search terms', 'DELETE FROM post_search', / is indexed as .*; expected /],
  [
    'a wrong count',
    'UPDATE post_count SET posts = posts + 1',
    / has 1 posts of stored state 1 and counts 2$/,
  ],
  [
    'a wrong count by network',
    "INSERT INTO post_count_detail SELECT workspace_id, '', creator_id, network, type, stored_state, 1 FROM post_count_change ON CONFLICT (workspace_id, account_id, creator_id, network, type, stored_state) DO UPDATE SET posts = post_count_detail.posts + 1",
    / counts 1 more posts of type status on the network mastodon in stored state 1 of account $/,
  ],
  ['missing media', 'UPDATE post SET has_media = true', / has a wrong has_media: true$/],
])('finds %s', async (_what, sql, message) => {
  await shop.sql('TRUNCATE post CASCADE');
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  await shop.update(viewer, post, { text: 'Two' });
  expect(await dataInconsistencies(shop.database, [viewer])).toEqual([]);
  await shop.sql(sql);
  expect(await dataInconsistencies(shop.database, [viewer])).toEqual([
    expect.stringMatching(message),
  ]);
});
