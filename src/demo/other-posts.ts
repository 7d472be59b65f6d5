import type { Post } from '../domain/posts/post.js';
import type { Ids } from '../services/ports.js';
import type { Calendar } from './calendar.js';
import { createPostBuilder, type Brief } from './post-builder.js';
import type { Scene } from './scene.js';

/** The other workspace's posts: few, and each of a kind that approval treats in its own way (D24, delete rule 3). */
export function otherPosts(
  scene: Scene,
  calendar: Calendar,
  ids: Ids,
  databaseIds: Iterator<number>,
): Post[] {
  const { past, future } = calendar;
  const briefs: Omit<Brief, 'text'>[] = [
    {
      type: 'status',
      network: 'facebook',
      cell: 'published_posted',
      creator: 'editor',
      at: past(3),
    },
    {
      type: 'photo',
      network: 'instagram',
      cell: 'published_posted',
      creator: 'editor',
      at: past(5),
    },
    {
      type: 'status',
      network: 'mastodon',
      cell: 'published_posted',
      creator: 'editor',
      at: past(6),
    },
    {
      type: 'article',
      network: 'wordpress',
      cell: 'published_posted',
      creator: 'partner',
      at: past(9),
    },
    {
      type: 'status',
      network: 'mastodon',
      cell: 'published_posted',
      creator: 'owner',
      at: past(12),
    },
    { type: 'link', network: 'facebook', cell: 'scheduled', creator: 'editor', at: future(2) },
    {
      type: 'photo',
      network: 'instagram',
      cell: 'scheduled_approved',
      creator: 'editor',
      at: future(3),
    },
    {
      type: 'status',
      network: 'mastodon',
      cell: 'scheduled_approved',
      creator: 'editorWithPostActions',
      at: future(4),
    },
    { type: 'status', network: 'facebook', cell: 'scheduled', creator: 'owner', at: future(5) },
    {
      type: 'photo',
      network: 'facebook',
      cell: 'scheduled_pending',
      creator: 'editor',
      at: future(6),
    },
    {
      type: 'status',
      network: 'mastodon',
      cell: 'scheduled_declined',
      creator: 'editor',
      at: future(7),
    },
    {
      type: 'link',
      network: 'facebook',
      cell: 'recycling_active',
      creator: 'editor',
      at: future(8),
      recycling: {
        solo: false,
        gap: 2,
        gapFreq: 'weeks',
        label: null,
        startDate: null,
        expireDate: null,
        expireCount: 6,
      },
    },
    { type: 'status', network: 'mastodon', cell: 'draft_undated', creator: 'editor', at: null },
    { type: 'status', network: null, cell: 'draft_private_undated', creator: 'owner', at: null },
    {
      type: 'status',
      network: 'facebook',
      cell: 'draft_private_dated',
      creator: 'partner',
      at: future(9),
    },
  ];
  const build = createPostBuilder(scene, calendar, ids, databaseIds);
  return briefs.map((brief, n) => build({ ...brief, text: TEXTS[n % TEXTS.length] }));
}

const TEXTS: readonly string[] = [
  'Kanelbullar direkt ur ugnen! Vi öppnar klockan sju. 🥐',
  'Surdegsbröd på råg – jäst i trettio timmar, slut på tre.',
  'Semlorna är tillbaka på fredag. Kön börjar som vanligt vid porten.',
  'Så bakar vi vårt tunnbröd: korn, tålamod och en mycket het häll.',
  'Tack för i går! Hundra bullar blev till två tusen kronor för skolmaten.',
  'Våra öppettider i advent finns på bloggen.',
  'Nybakat i skyltfönstret, fotograferat innan någon hann äta.',
  'Vi söker en bagare som tycker om tidiga morgnar – och sena semlor.',
  'Lindenhof fyller åtta år: tårta till alla på lördag. 🎂',
  'Prinsesstårta, steg för steg.',
  'Glutenfritt på torsdagar: boka senast onsdag kväll.',
  'Receptet som alla frågar efter: vår äppelkaka.',
  'Utkast: julens ljusstakar och pepparkakor',
  'Lönesamtal – ta upp med Mårten',
  'Sommarens öppettider, när de är bestämda',
];
