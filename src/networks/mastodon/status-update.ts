import type { mastodon } from 'masto';
import type { Post } from '../../domain/posts/post.js';
import { contentWarningOf } from '../../domain/networks/mastodon.js';
import { wholeTextOf } from '../../domain/networks/network-definition.js';
import type { NetworkEdit } from '../../services/networks/network-ports.js';
import { throwRequestError } from '../http-client/network-response.js';

type Status = mastodon.v1.Status;
type Source = mastodon.v1.StatusSource;
type Update = mastodon.rest.v1.UpdateStatusParams;

const DAY_MS = 86_400_000;
/** Mastodon's minimum poll duration. */
const MIN_POLL_MS = 300_000;

/**
 * The complete status after the edit. Mastodon's update removes media, poll and content warning
 * that it does not receive, so unchanged parts are sent back (editable: text, title, language, poll
 * options and duration).
 */
export function toStatusUpdate(
  { post, changed }: Pick<NetworkEdit, 'post' | 'changed'>,
  { status, source, now }: { status: Status; source: Source; now: Date },
): Update {
  const language =
    (changed.has('details.language') ? post.details?.language : null) ?? status.language;
  const fields = {
    status: changed.has('text') ? updatedText(post, source.text) : source.text,
    spoilerText: changed.has('title') ? contentWarningOf(post) : source.spoilerText,
    sensitive: status.sensitive,
    // The API cannot remove a language: null keeps it.
    ...(language && { language }),
  };
  if (status.poll)
    return { ...fields, poll: toPollUpdate({ post, changed }, { status, poll: status.poll, now }) };
  if (status.mediaAttachments.length === 0) return fields;
  return {
    ...fields,
    mediaIds: status.mediaAttachments.map(({ id }) => id),
    mediaAttributes: status.mediaAttachments.map(toMediaAttributes),
  };
}

/**
 * On Mastodon the link of a link post and the question of a poll are part of the text: they are
 * kept if the new text does not contain them.
 */
function updatedText(post: Post, currentText: string): string {
  const kept = post.type === 'link' ? post.url : post.question;
  return kept && currentText.includes(kept) ? wholeTextOf(post).text : post.text;
}

const toMediaAttributes = ({ id, description, meta }: mastodon.v1.MediaAttachment) => ({
  id,
  ...(description && { description }),
  ...(meta?.focus && { focus: `${meta.focus.x},${meta.focus.y}` }),
});

function toPollUpdate(
  { post, changed }: Pick<NetworkEdit, 'post' | 'changed'>,
  { status, poll, now }: { status: Status; poll: mastodon.v1.Poll; now: Date },
): mastodon.rest.v1.CreateStatusPollParam {
  const endsAt =
    changed.has('duration') && post.duration !== null
      ? Date.parse(status.createdAt) + post.duration * DAY_MS
      : Date.parse(poll.expiresAt ?? '');
  const remainingMs = endsAt - now.getTime();
  // Every edit sets a new end at least five minutes ahead, which would reopen an ended poll.
  if (!(remainingMs >= MIN_POLL_MS))
    throwRequestError(
      'NETWORK_REFUSED',
      'Mastodon rejected the change: the poll has ended or would end in less than five minutes, and an edit would reopen it.',
    );
  return {
    options: changed.has('options') ? post.options : poll.options.map(({ title }) => title),
    expiresIn: Math.floor(remainingMs / 1000),
    multiple: poll.multiple,
    // Counts are missing for the poll's own author only if the poll hides them until its end.
    hideTotals: poll.options.some(
      ({ votesCount }) => votesCount === null || votesCount === undefined,
    ),
  };
}
