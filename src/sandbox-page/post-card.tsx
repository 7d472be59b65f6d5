import { useMemo } from 'react';
import type { Credentials } from '../playground/credentials.js';
import { toLocalTime } from './call-gateway.js';
import { PostTools } from './post-tools.js';
import type { SandboxMedia, SandboxPost } from './watch-sandbox.js';

/** Addresses that a link may have: a network could send any. */
const WEB_PROTOCOLS: readonly string[] = ['https:', 'http:'];

function toWebUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    return WEB_PROTOCOLS.includes(url.protocol) ? url : null;
  } catch {
    return null;
  }
}

/**
 * A link that opens in a new tab and does not tell where it was opened; text if it is no web
 * address.
 */
function WebLink({ url, children }: { url: string; children: string }) {
  const target = toWebUrl(url);
  if (!target) return <bdi>{children}</bdi>;
  return (
    <a href={target.href} target="_blank" rel="noopener noreferrer nofollow" dir="auto">
      {children}
    </a>
  );
}

const MEDIA_NAMES: Readonly<Record<string, string>> = {
  photo: 'Photo',
  video: 'Video',
  gif: 'GIF',
  document: 'Document',
};

/**
 * A picture that the gateway keeps, or a link to any other file: the page loads nothing from other
 * servers.
 */
function Media({ type, url, alt_text: altText }: SandboxMedia) {
  const target = toWebUrl(url);
  const isShown = target?.origin === location.origin && (type === 'photo' || type === 'gif');
  return (
    <figure className="media">
      {isShown ? (
        <img src={target.href} alt={altText ?? ''} loading="lazy" />
      ) : (
        <p>
          <span className="kind">{MEDIA_NAMES[type] ?? type}</span>{' '}
          <WebLink url={url}>{target ? target.host + target.pathname : url}</WebLink>
        </p>
      )}
      {altText && <figcaption dir="auto">{altText}</figcaption>}
    </figure>
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
};

/**
 * The text of inline HTML, which is displayed as text in any case. Not with a DOM parser, which
 * reports event handlers as violations of the content security policy.
 */
const textOfHtml = (html: string): string =>
  html
    .replace(/<\/?[a-z][^>]*>/gi, '')
    .replace(/&(?:amp|lt|gt|quot|nbsp);/g, (entity) => ENTITIES[entity]!);

/** The texts of the blocks of an article, as far as they have the usual shape. */
const textsOf = (content: SandboxPost['content']): string[] =>
  content.flatMap(({ data }) => {
    const { text, items } = (data ?? {}) as { text?: unknown; items?: unknown };
    const parts: unknown[] = Array.isArray(items) ? items : [text];
    return parts.filter((part) => typeof part === 'string').map(textOfHtml);
  });

/** The options that are not shown in another way, as text. */
const optionsOf = ({ network_options: options }: SandboxPost): string[] =>
  Object.entries(options ?? {})
    .filter(([name]) => name !== 'spoiler_text')
    .map(([name, value]) => `${name}: ${String(value)}`);

/** A post. Its content is text of unknown origin. */
export function PostCard({ post, credentials }: { post: SandboxPost; credentials: Credentials }) {
  const spoiler =
    post.network_options?.['spoiler_text'] ?? (post.network === 'mastodon' ? post.title : null);
  const networkOptions = optionsOf(post);
  const title = spoiler === post.title ? null : post.title;
  const { id, text, excerpt, question, options, tags, media, link, content } = post;
  const paragraphs = useMemo(() => textsOf(content), [content]);
  const attachments = post.featured_media ? [post.featured_media, ...media] : media;
  return (
    <article className="post" data-post-id={id}>
      {spoiler && (
        <p className="spoiler" dir="auto">
          <span className="kind">Content warning</span> {spoiler}
        </p>
      )}
      {title && <h3 dir="auto">{title}</h3>}
      {excerpt && (
        <p className="excerpt" dir="auto">
          {excerpt}
        </p>
      )}
      {[text, ...paragraphs].filter(Boolean).map((paragraph, index) => (
        <p key={index} className="text" dir="auto">
          {paragraph}
        </p>
      ))}
      {(question || options.length > 0) && (
        <section className="poll" aria-label="Poll">
          {question && <p dir="auto">{question}</p>}
          <ul>
            {options.map((option) => (
              <li key={option} dir="auto">
                {option}
              </li>
            ))}
          </ul>
        </section>
      )}
      {attachments.map((item, index) => (
        <Media key={index} {...item} />
      ))}
      {link && (
        <p className="link">
          <WebLink url={link.url}>{link.title || link.url}</WebLink>
          {link.description && <span dir="auto">{link.description}</span>}
        </p>
      )}
      {tags.length > 0 && (
        <p className="tags" dir="auto">
          {tags.map((tag) => `#${tag}`).join(' ')}
        </p>
      )}
      {networkOptions.length > 0 && <p className="options">{networkOptions.join(', ')}</p>}
      <footer>
        <time dateTime={post.published_at}>{toLocalTime(post.published_at)}</time>
        {post.edited_at && (
          <span className="edited" title={toLocalTime(post.edited_at)}>
            Edited
          </span>
        )}
      </footer>
      <PostTools credentials={credentials} id={id} />
    </article>
  );
}
