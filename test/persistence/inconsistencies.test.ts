import { inconsistencies } from '../fixtures/inconsistencies.js';
import { aWorkshop, type Workshop } from '../fixtures/services.js';

let shop: Workshop;
beforeAll(async () => {
  shop = await aWorkshop();
});
afterAll(() => shop.database.drop());

it.each([
  ['a version without its revision', 'DELETE FROM revision', / has version 2 and revisions none$/],
  [
    'a place of a daily cap that nobody needs',
    "UPDATE cap_slot SET at = at + interval '1 hour'",
    / holds acc_.*; its dates need acc_/,
  ],
  [
    'a place of a daily cap that a deleted post holds',
    'UPDATE post SET deleted_at = now()',
    / is deleted and holds 1 places of a daily cap$/,
  ],
  [
    'words that a post no longer says',
    "UPDATE post_search SET tokens = '{}'",
    / is found by .*; it says /,
  ],
  ['a post that nothing finds', 'DELETE FROM post_search', / is found by .*; it says /],
  [
    'a count that is wrong',
    'UPDATE post_count SET posts = posts + 1',
    / has 1 posts of cell 1 and counts 2$/,
  ],
  ['media that are not there', 'UPDATE post SET has_media = true', / says has_media true$/],
])('finds %s', async (_what, sql, complaint) => {
  await shop.sql('TRUNCATE post CASCADE');
  const viewer = await shop.aViewer();
  const post = await shop.aPost({ by: viewer });
  await shop.update(viewer, post, { text: 'Two' });
  expect(await inconsistencies(shop.database.pool, [viewer])).toEqual([]);
  await shop.sql(sql);
  expect(await inconsistencies(shop.database.pool, [viewer])).toEqual([
    expect.stringMatching(complaint),
  ]);
});
