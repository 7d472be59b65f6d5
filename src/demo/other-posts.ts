import type { Post } from '../domain/post.js';
import type { Ids } from '../services/ports.js';
import type { Calendar } from './calendar.js';
import { createPostBuilder, type Brief } from './post-builder.js';
import type { Scene } from './scene.js';

/** The other workspace's posts: few, and each of a kind that approval treats in its own way (D24, delete rule 3). */
export function otherPosts(scene: Scene, calendar: Calendar, ids: Ids, databaseIds: Iterator<number>): Post[] {
  const { past, future } = calendar;
  const briefs: Brief[] = [
    { type: 'status', network: 'facebook', cell: 'published_posted', creator: 'editor', at: past(3) },
    { type: 'photo', network: 'instagram', cell: 'published_posted', creator: 'editor', at: past(5) },
    { type: 'status', network: 'mastodon', cell: 'published_posted', creator: 'editor', at: past(6) },
    { type: 'article', network: 'wordpress', cell: 'published_posted', creator: 'partner', at: past(9) },
    { type: 'status', network: 'mastodon', cell: 'published_posted', creator: 'owner', at: past(12) },
    { type: 'link', network: 'facebook', cell: 'scheduled', creator: 'editor', at: future(2) },
    { type: 'photo', network: 'instagram', cell: 'scheduled_approved', creator: 'editor', at: future(3) },
    { type: 'status', network: 'mastodon', cell: 'scheduled_approved', creator: 'editorWithPostActions', at: future(4) },
    { type: 'status', network: 'facebook', cell: 'scheduled', creator: 'owner', at: future(5) },
    { type: 'photo', network: 'facebook', cell: 'scheduled_pending', creator: 'editor', at: future(6) },
    { type: 'status', network: 'mastodon', cell: 'scheduled_declined', creator: 'editor', at: future(7) },
    {
      type: 'link', network: 'facebook', cell: 'recycling_active', creator: 'editor', at: future(8),
      recycling: { solo: false, gap: 2, gapFreq: 'weeks', label: null, startDate: null, expireDate: null, expireCount: 6 },
    },
    { type: 'status', network: 'mastodon', cell: 'draft_undated', creator: 'editor', at: null },
    { type: 'status', network: null, cell: 'draft_private_undated', creator: 'owner', at: null },
    { type: 'status', network: 'facebook', cell: 'draft_private_dated', creator: 'partner', at: future(9) },
  ];
  return briefs.map(createPostBuilder(scene, calendar, ids, databaseIds));
}
