import { UNKNOWN, type Scenario } from './scenario.js';
import { inDays } from './environment.js';

/** Scenarios of lists and of single posts. */
export const READING: readonly Scenario[] = [
  [
    'a list by state, type, account, member, time and search query',
    ['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
    async ({ owner, member, account, post, list }) => {
      const olga = await owner();
      const mia = await member(olga, 'editor');
      const here = await account(olga, { network: 'linkedin', name: 'Here' });
      await post(olga, {
        account: here,
        type: 'link',
        text: 'A Café opens',
        url: 'https://example.com/a',
        scheduledAt: inDays(3),
      });
      await post(mia, { account: here, text: 'cafe again', scheduledAt: inDays(2) });
      await post(olga, { storedState: 'published_posted', text: 'done' });
      await post(mia, { storedState: 'draft_public_undated', text: 'idea' });
      await list(olga);
      await list(olga, { states: ['scheduled'] });
      await list(olga, { states: ['published', 'draft_public'] });
      await list(olga, { types: ['link'] });
      await list(olga, { accountIds: [here.id] });
      await list(olga, { memberId: mia.user.id });
      await list(olga, { from: inDays(2), to: inDays(2.5) });
      await list(olga, { query: 'CAFE -again' });
      await list(olga, { states: ['scheduled'], query: '"cafe again"', memberId: mia.user.id });
    },
  ],
  [
    'a list of more than one page, undated posts last',
    ['ok'],
    async ({ owner, account, post, list }) => {
      const olga = await owner();
      const here = await account(olga);
      for (let day = 1; day <= 11; day++)
        await post(olga, { account: here, scheduledAt: inDays(day), text: `day ${day}` });
      await post(olga, { storedState: 'draft_undated' });
      await list(olga);
    },
  ],
  [
    'a list with filters that match nothing',
    ['ok', 'ok', 'ok'],
    async ({ owner, post, list }) => {
      const [olga, other] = [await owner(), await owner()];
      await post(olga);
      const { accountId } = await post(other);
      await list(olga, { accountIds: [accountId!] });
      await list(olga, { memberId: other.user.id });
      await list(olga, { accountIds: ['nonsense'] });
    },
  ],
  [
    'a list whose from is after to',
    ['BAD_USER_INPUT'],
    async ({ owner, list }) => list(await owner(), { from: inDays(2), to: inDays(1) }),
  ],
  [
    'a list without others’ private drafts',
    ['ok', 'ok', 'ok'],
    async ({ owner, member, post, list }) => {
      const olga = await owner();
      const mia = await member(olga, 'editor');
      await post(mia, { storedState: 'draft_private_undated', text: 'secret' });
      await list(olga, { query: 'secret' });
      await list(olga, { states: ['draft_private'] });
      await list(mia, { states: ['draft_private'] });
    },
  ],
  [
    'get a post by either id',
    ['ok', 'ok'],
    async ({ owner, account, label, media, post, get }) => {
      const olga = await owner();
      const one = await post(olga, {
        account: await account(olga, {
          network: 'facebook',
          type: 'page',
          picture: 'https://example.com/p.png',
        }),
        type: 'link',
        url: 'https://example.com/x',
        link: {
          title: 'Title',
          originalDescription: 'Page',
          images: ['https://example.com/i.png'],
        },
        labels: [await label(olga, { name: 'news', color: '#123456' })],
        media: [await media(olga, { altText: 'A leaf' })],
        recycling: { gap: 2, gapFreq: 'weeks', startDate: '2030-07-01' },
      });
      await get(olga, one.id);
      await get(olga, String(one.databaseId));
    },
  ],
  [
    'get an unknown, inaccessible or private post, or an invalid id',
    [
      'POST_NOT_FOUND',
      'POST_NOT_FOUND',
      'FORBIDDEN',
      'POST_NOT_FOUND',
      'FORBIDDEN',
      'POST_NOT_FOUND',
    ],
    async ({ owner, member, post, get }) => {
      const [olga, other] = [await owner(), await owner()];
      const foreign = await post(other);
      const secret = await post(await member(olga, 'editor'), {
        storedState: 'draft_private_dated',
      });
      await get(olga, UNKNOWN);
      await get(olga, 'nonsense');
      await get(olga, foreign.id);
      await get(olga, String(foreign.databaseId));
      await get(olga, secret.id);
      await get(olga, String(secret.databaseId));
    },
  ],
];
