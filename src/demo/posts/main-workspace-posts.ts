import type { Post } from '../../domain/posts/post.js';
import type { DemoContext } from '../demo-context.js';
import type { DemoWorkspace } from '../demo-workspace.js';
import { draftPosts, failedPosts } from './draft-posts.js';
import { duePosts } from './due-posts.js';
import { createPostBuilder } from './post-builder.js';
import type { PostGroup } from './post-creators.js';
import { importedAndSyncedPosts, publishedPosts, slowPost } from './published-posts.js';
import { recyclingPosts } from './recycling-posts.js';
import {
  approvalAndReauthPosts,
  queuedPostsAndReminders,
  scheduledPosts,
} from './scheduled-posts.js';
import { createSeriesSpecs } from './series-posts.js';

const GROUPS: readonly PostGroup[] = [
  publishedPosts,
  scheduledPosts,
  approvalAndReauthPosts,
  queuedPostsAndReminders,
  duePosts,
  draftPosts,
  failedPosts,
  recyclingPosts,
  importedAndSyncedPosts,
];

/**
 * The posts of the main workspace: at least one for each filter, for each type of each network, and
 * for each rule.
 */
export function createMainPosts(demoWorkspace: DemoWorkspace, context: DemoContext): Post[] {
  const { dates } = context;
  const build = createPostBuilder(demoWorkspace, context);
  const posts = GROUPS.flatMap((group) => group(dates, demoWorkspace)).map(build);
  const series = createSeriesSpecs(demoWorkspace, dates).flatMap((specs) => {
    const parent = build(specs.series);
    return [
      parent,
      ...specs.children.map((child) =>
        build({ ...child, copyContentOf: parent, parentId: parent.databaseId }),
      ),
    ];
  });
  return [...posts, ...series, build(slowPost(dates, demoWorkspace))];
}
