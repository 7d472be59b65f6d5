import { useEffect, useState } from 'react';
import type { Credentials } from '../playground/credentials.js';
import { execute } from '../playground/fetcher.js';
import { toLocalTime } from './call-gateway.js';
import { PostTools } from './post-tools.js';

interface ScheduledPost {
  readonly id: string;
  readonly text: string;
  readonly scheduledAt: string;
  readonly account: { readonly name: string; readonly sandbox: boolean } | null;
}

const MAX_SHOWN = 10;
const NEXT = `query SandboxNextPosts($first: Int!) {
  posts(first: $first, filter: { states: [SCHEDULED] }, orderBy: { field: SCHEDULED_AT, direction: ASC }) {
    nodes { id text scheduledAt account { name sandbox } }
  }
}`;
interface NextPosts {
  readonly posts: { readonly nodes: readonly ScheduledPost[] };
}

/**
 * The next posts of sandbox accounts, so that faults can be set before their publication.
 * `revision` changes whenever they may have changed.
 */
export function ScheduledPosts({
  credentials,
  revision,
}: {
  credentials: Credentials;
  revision: unknown;
}) {
  const [posts, setPosts] = useState<readonly ScheduledPost[]>([]);
  useEffect(() => {
    const variables = { first: 50 };
    void execute<NextPosts>(credentials, { query: NEXT, variables }).then(({ data }) => {
      const nodes = data?.posts.nodes.filter(({ account }) => account?.sandbox) ?? [];
      setPosts(nodes.slice(0, MAX_SHOWN));
    });
  }, [credentials, revision]);
  if (posts.length === 0) return null;
  return (
    <details className="scheduled">
      <summary>Next scheduled posts</summary>
      <ul>
        {posts.map(({ id, text, scheduledAt, account }) => (
          <li key={id}>
            <time dateTime={scheduledAt}>{toLocalTime(scheduledAt)}</time>{' '}
            <bdi>{account!.name}</bdi>: <bdi>{text.slice(0, 80)}</bdi>
            <PostTools credentials={credentials} id={id} />
          </li>
        ))}
      </ul>
    </details>
  );
}
