import type { ImportRecord } from '../../domain/imports/imported-post.js';
import type { Network } from '../../domain/networks/networks.js';
import { readMastodonOutbox } from '../../importers/mastodon/mastodon-outbox.js';
import { SKIP_REASONS as MASTODON_SKIPS } from '../../importers/mastodon/skip-reasons.js';
import { SKIP_REASONS as WORDPRESS_SKIPS } from '../../importers/wordpress/skip-reasons.js';
import { readWordpressExport } from '../../importers/wordpress/wordpress-wxr.js';

export interface ReadOptions {
  readonly now: Date;
  /** Where the media of an archive are, as the caller says. */
  readonly mediaAddress: string | undefined;
}

/** What posts can be imported from, and what the command says of it. */
export interface ImportSource {
  readonly network: Network;
  readonly description: string;
  /** What the file is. */
  readonly file: string;
  /** Whether its media are named by their paths alone, so that `--media` may say where they are. */
  readonly takesMediaAddress: boolean;
  readonly skipReasons: SkipMeanings;
  /** @param open opens the file anew from its beginning */
  read(open: () => AsyncIterable<Uint8Array>, options: ReadOptions): AsyncIterable<ImportRecord>;
}
/** What each word for a skipped item means. */
export type SkipMeanings = Readonly<Record<string, { readonly meaning: string }>>;

export const IMPORT_SOURCES: readonly ImportSource[] = [
  {
    network: 'wordpress',
    description: 'every post of a WordPress export',
    file: 'the export, as the blog’s “Tools → Export” gives it',
    takesMediaAddress: false,
    skipReasons: WORDPRESS_SKIPS,
    read: (open, { now }) => readWordpressExport(open, { now }),
  },
  {
    network: 'mastodon',
    description: 'every post of a Mastodon archive',
    file: 'the outbox.json in the archive, as “Import and export → Data export” gives it',
    takesMediaAddress: true,
    skipReasons: MASTODON_SKIPS,
    read: (open, { mediaAddress }) => readMastodonOutbox(open(), { mediaAddress }),
  },
];
