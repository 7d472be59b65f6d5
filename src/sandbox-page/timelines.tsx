import { useState } from 'react';
import type { Credentials } from '../playground/credentials.js';
import { networkName } from '../playground/network-name.js';
import { PostCard } from './post-card.js';
import type { SandboxAccount } from './watch-sandbox.js';

function Timeline({ account, credentials }: { account: SandboxAccount; credentials: Credentials }) {
  const { id, name, network, posts } = account;
  return (
    <section className="timeline" data-account-id={id} aria-labelledby={`name-${id}`}>
      <h2 id={`name-${id}`}>
        <span className="network">{networkName(network)}</span> <bdi>{name}</bdi>
      </h2>
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <div className="posts" tabIndex={0} role="group" aria-labelledby={`name-${id}`}>
        {posts.length === 0 && <p className="empty">No posts yet.</p>}
        {posts.map((post) => (
          <PostCard key={`${post.id} ${post.published_at}`} post={post} credentials={credentials} />
        ))}
      </div>
    </section>
  );
}

/** How to get the first post. */
function NothingPublished() {
  return (
    <div className="welcome" role="status">
      <h2>Nothing has been published yet</h2>
      <p>
        Create a post with <code>createPosts</code> and the mode <code>SHARE_NOW</code> in the{' '}
        <a href="/playground">playground</a>, or with <code>POST /v1/posts/schedule/publish</code>.
        It appears here a few seconds later.
      </p>
    </div>
  );
}

function NoAccounts() {
  return (
    <div className="welcome" role="status">
      <h2>This workspace has no sandbox accounts</h2>
      <p>
        Create one with <code>npx posts-gateway accounts create … --sandbox</code>. Its posts are
        published on the sandbox network only.
      </p>
    </div>
  );
}

/** The accounts of a workspace side by side, or one of them. */
export function Timelines({
  accounts,
  credentials,
}: {
  accounts: readonly SandboxAccount[];
  credentials: Credentials;
}) {
  const [chosenId, choose] = useState('');
  if (accounts.length === 0) return <NoAccounts />;
  const chosen = accounts.filter(({ id }) => id === chosenId);
  const shown = chosen.length > 0 ? chosen : accounts;
  return (
    <>
      <label className="filter">
        Account{' '}
        <select value={chosen[0]?.id ?? ''} onChange={({ target }) => choose(target.value)}>
          <option value="">All accounts</option>
          {accounts.map(({ id, name, network }) => (
            <option key={id} value={id}>
              {networkName(network)}: {name}
            </option>
          ))}
        </select>
      </label>
      {accounts.every(({ posts }) => posts.length === 0) && <NothingPublished />}
      <div className="timelines">
        {shown.map((account) => (
          <Timeline key={account.id} account={account} credentials={credentials} />
        ))}
      </div>
    </>
  );
}
