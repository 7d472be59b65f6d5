import type { Post } from '../../domain/posts/post.js';
import type { DemoContext, DemoDates } from '../demo-context.js';
import type { DemoWorkspace } from '../demo-workspaces.js';
import { createPostBuilder, type PostSpec } from './post-builder.js';

/**
 * The posts of the workspace that requires approval: one for each case of the approval rules (D24,
 * delete rule 3).
 */
export function createOtherPosts(demoWorkspace: DemoWorkspace, context: DemoContext): Post[] {
  const build = createPostBuilder(demoWorkspace, context);
  return otherSpecs(context.dates).map((spec, n) =>
    build({ ...spec, text: TEXTS[n % TEXTS.length] }),
  );
}

function otherSpecs({ past, future }: DemoDates): Omit<PostSpec, 'text'>[] {
  return [
    {
      type: 'status',
      network: 'facebook',
      storedState: 'published_posted',
      creator: 'editor',
      scheduledAt: past(3),
    },
    {
      type: 'photo',
      network: 'instagram',
      storedState: 'published_posted',
      creator: 'editor',
      scheduledAt: past(5),
    },
    {
      type: 'status',
      network: 'mastodon',
      storedState: 'published_posted',
      creator: 'editor',
      scheduledAt: past(6),
    },
    {
      type: 'article',
      network: 'wordpress',
      storedState: 'published_posted',
      creator: 'partner',
      scheduledAt: past(9),
    },
    {
      type: 'status',
      network: 'mastodon',
      storedState: 'published_posted',
      creator: 'owner',
      scheduledAt: past(12),
    },
    {
      type: 'link',
      network: 'facebook',
      storedState: 'scheduled',
      creator: 'editor',
      scheduledAt: future(2),
    },
    {
      type: 'photo',
      network: 'instagram',
      storedState: 'scheduled_approved',
      creator: 'editor',
      scheduledAt: future(3),
    },
    {
      type: 'status',
      network: 'mastodon',
      storedState: 'scheduled_approved',
      creator: 'editorWithPostActions',
      scheduledAt: future(4),
    },
    {
      type: 'status',
      network: 'facebook',
      storedState: 'scheduled',
      creator: 'owner',
      scheduledAt: future(5),
    },
    {
      type: 'photo',
      network: 'facebook',
      storedState: 'scheduled_pending',
      creator: 'editor',
      scheduledAt: future(6),
    },
    {
      type: 'status',
      network: 'mastodon',
      storedState: 'scheduled_declined',
      creator: 'editor',
      scheduledAt: future(7),
    },
    {
      type: 'link',
      network: 'facebook',
      storedState: 'recycling_active',
      creator: 'editor',
      scheduledAt: future(8),
      recycling: {
        solo: false,
        gap: 2,
        gapFreq: 'weeks',
        expireCount: 6,
      },
    },
    {
      type: 'status',
      network: 'mastodon',
      storedState: 'draft_undated',
      creator: 'editor',
      scheduledAt: null,
    },
    {
      type: 'status',
      network: null,
      storedState: 'draft_private_undated',
      creator: 'owner',
      scheduledAt: null,
    },
    {
      type: 'status',
      network: 'facebook',
      storedState: 'draft_private_dated',
      creator: 'partner',
      scheduledAt: future(9),
    },
  ];
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
