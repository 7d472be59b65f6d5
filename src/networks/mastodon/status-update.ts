import type { mastodon } from 'masto';
import type { Post } from '../../domain/posts/post.js';
import { linkOf } from '../../domain/posts/post.js';
import type { NetworkEdit } from '../../services/networks/network-ports.js';
import { stop } from '../http-client/failure.js';

type Status = mastodon.v1.Status;
type Source = mastodon.v1.StatusSource;
type Update = mastodon.rest.v1.UpdateStatusParams;

const DAY_MS = 86_400_000;
/** Mastodon takes no shorter poll. */
const SHORTEST_POLL_MS = 300_000;

/**
 * The whole of a status as it shall be. Mastodon's update drops whatever of media, poll and warning it is not sent, so
 * what does not change is sent as it is there (Update post: text, title, language, poll options and duration).
 */
export function statusUpdate(
  { post, changed }: Pick<NetworkEdit, 'post' | 'changed'>,
  { status, source, now }: { status: Status; source: Source; now: Date },
): Update {
  const language =
    (changed.has('details.language') ? post.details?.language : null) ?? status.language;
  const told = {
    status: changed.has('text') ? textWithLink(post, source.text) : source.text,
    spoilerText: changed.has('title') ? (post.title ?? '') : source.spoilerText,
    sensitive: status.sensitive,
    // There is no call that takes a language away: null leaves it.
    ...(language && { language }),
  };
  if (status.poll)
    return { ...told, poll: pollUpdate({ post, changed }, { status, poll: status.poll, now }) };
  if (status.mediaAttachments.length === 0) return told;
  return {
    ...told,
    mediaIds: status.mediaAttachments.map(({ id }) => id),
    mediaAttributes: status.mediaAttachments.map(mediaAttributes),
  };
}

/** A link is a part of the text here: the post's own stays where the new text does not have it. */
function textWithLink(post: Post, before: string): string {
  const url = post.type === 'link' ? linkOf(post)?.url : undefined;
  return url && before.includes(url) && !post.text.includes(url)
    ? `${post.text}\n\n${url}`.trim()
    : post.text;
}

const mediaAttributes = ({ id, description, meta }: mastodon.v1.MediaAttachment) => ({
  id,
  ...(description && { description }),
  ...(meta?.focus && { focus: `${meta.focus.x},${meta.focus.y}` }),
});

function pollUpdate(
  { post, changed }: Pick<NetworkEdit, 'post' | 'changed'>,
  { status, poll, now }: { status: Status; poll: mastodon.v1.Poll; now: Date },
): mastodon.rest.v1.CreateStatusPollParam {
  const wanted =
    changed.has('duration') && post.duration !== null
      ? Date.parse(status.createdAt) + post.duration * DAY_MS
      : Date.parse(poll.expiresAt ?? '');
  const left = wanted - now.getTime();
  // An edit always sets the end anew, at least five minutes ahead: it would open a poll that is over.
  if (!(left >= SHORTEST_POLL_MS))
    stop(
      'NETWORK_REFUSED',
      'Mastodon does not accept the change: the poll would end in less than five minutes or has ended, and an edit would open it again.',
    );
  return {
    options: changed.has('options') ? post.options : poll.options.map(({ title }) => title),
    expiresIn: Math.floor(left / 1000),
    multiple: poll.multiple,
    // Only a poll that hides them until its end shows its own author no counts.
    hideTotals: poll.options.some(
      ({ votesCount }) => votesCount === null || votesCount === undefined,
    ),
  };
}
