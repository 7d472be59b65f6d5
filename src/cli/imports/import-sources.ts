import type { ImportRecord } from '../../domain/imports/imported-post.js';
import type { Network } from '../../domain/networks/networks.js';
import { readMastodonOutbox } from '../../importers/mastodon/mastodon-outbox.js';
import { SKIP_REASONS as MASTODON_SKIPS } from '../../importers/mastodon/skip-reasons.js';
import { SKIP_REASONS as WORDPRESS_SKIPS } from '../../importers/wordpress/skip-reasons.js';
import { readWordpressExport } from '../../importers/wordpress/wordpress-wxr.js';

/** Options that the reader of the file receives. */
export interface ReadOptions {
  readonly now: Date;
  /** Base URL of the archive's media, if passed with `--media`. */
  readonly mediaUrl: string | undefined;
}

/** A source of imports: its reader, and its texts in the help. */
export interface ImportSource {
  readonly network: Network;
  readonly description: string;
  /** Description of the file argument. */
  readonly file: string;
  /** Whether the command has the option `--media`: the file contains only paths of its media. */
  readonly acceptsMediaUrl: boolean;
  readonly skipReasons: SkipReasons;
  /** @param open opens the file from its beginning; may be called more than once */
  read(open: () => AsyncIterable<Uint8Array>, options: ReadOptions): AsyncIterable<ImportRecord>;
}
/** Description of each reason to skip an item. */
export type SkipReasons = Readonly<Record<string, { readonly description: string }>>;

/** The sources of imports, in the order of the help. */
export const IMPORT_SOURCES: readonly ImportSource[] = [
  {
    network: 'wordpress',
    description: 'import every post of a WordPress export',
    file: 'export file of the blog (“Tools → Export”)',
    acceptsMediaUrl: false,
    skipReasons: WORDPRESS_SKIPS,
    read: (open, { now }) => readWordpressExport(open, { now }),
  },
  {
    network: 'mastodon',
    description: 'import every post of a Mastodon archive',
    file: 'the outbox.json file of the archive (“Import and export → Data export”)',
    acceptsMediaUrl: true,
    skipReasons: MASTODON_SKIPS,
    read: (open, { mediaUrl }) => readMastodonOutbox(open(), { mediaUrl }),
  },
];
