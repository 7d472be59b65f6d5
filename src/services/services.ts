import type { Network } from '../domain/networks/networks.js';
import type { ContentBlock } from '../domain/posts/post.js';
import type { AdapterFacts } from './networks/adapter-facts.js';
import type { DirectoryStore, JobStore, PostStore } from './ports.js';
import type { Posts } from './posts/post-outcomes.js';
import type { Sandbox } from './networks/sandbox.js';

/** What a door is given: the workshop, and the readers it may batch through. */
export interface Services {
  readonly posts: Posts;
  readonly jobs: JobStore;
  readonly directory: DirectoryStore;
  readonly sandbox: Sandbox;
  /** For batching views of posts (`node`, parents, occurrences); changes go through `posts`. */
  readonly postReader: Pick<PostStore, 'byDatabaseId' | 'byDocumentId' | 'occurrences'>;
  /** What the connection to each network can do. */
  readonly adapters: Readonly<Record<Network, AdapterFacts>>;
  /** Content blocks as the HTML that a blog is given, sanitised (D25). */
  readonly blogHtml: (content: readonly ContentBlock[]) => string;
}
