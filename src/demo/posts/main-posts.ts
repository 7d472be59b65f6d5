import type { Post } from '../../domain/posts/post.js';
import type { DemoContext } from '../demo-context.js';
import type { DemoWorkspace } from '../demo-workspace.js';
import { drafts, failed } from './draft-posts.js';
import { createPostBuilder } from './post-builder.js';
import type { PostGroup } from './post-rotation.js';
import { fromNetworks, published, slowSpec } from './published-posts.js';
import { recycling } from './recycling-posts.js';
import { approvalAndReauth, queuedAndReminders, scheduled } from './scheduled-posts.js';
import { seriesSpecs } from './series-posts.js';

const GROUPS: readonly PostGroup[] = [
  published,
  scheduled,
  approvalAndReauth,
  queuedAndReminders,
  drafts,
  failed,
  recycling,
  fromNetworks,
];

/** The posts of the main workspace: at least one for each filter, for each type of each network, and for each rule. */
export function mainPosts(demoWorkspace: DemoWorkspace, context: DemoContext): Post[] {
  const { dates } = context;
  const build = createPostBuilder(demoWorkspace, context);
  const posts = GROUPS.flatMap((group) => group(dates, demoWorkspace)).map(build);
  const series = seriesSpecs(demoWorkspace, dates).flatMap((specs) => {
    const parent = build(specs.series);
    return [
      parent,
      ...specs.children.map((child) =>
        build({ ...child, copyContentOf: parent, parentId: parent.databaseId }),
      ),
    ];
  });
  return [...posts, ...series, build(slowSpec(dates, demoWorkspace))];
}
