import type { Post } from '../../domain/posts/post.js';
import type { PostGroup } from './post-creators.js';

const SECONDS = 1 / 3600;
/** Text of the post that the sandbox network rejects. */
const REFUSED_TEXT = 'Ein Beitrag, den das Netzwerk nicht annimmt.';

/**
 * Posts that become due in the first minutes after the demo was created: three are published, one
 * is rejected by its network, and one is too late (D52 to D57).
 */
export const duePosts: PostGroup = ({ hoursFromNow }) => [
  {
    type: 'status',
    network: 'mastodon',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(20 * SECONDS),
    text: 'In zwanzig Sekunden kommt der erste Espresso des Tages.',
  },
  {
    type: 'status',
    network: 'bluesky',
    storedState: 'scheduled',
    creator: 'editor',
    scheduledAt: hoursFromNow(60 * SECONDS),
    text: 'In einer Minute öffnet die Rösterei. Der Kaffee ist schon fertig.',
  },
  {
    type: 'status',
    network: 'telegram',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(120 * SECONDS),
    text: 'Noch zwei Minuten bis zur Verkostung in der Hafenstraße.',
  },
  {
    type: 'status',
    network: 'twitter',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(40 * SECONDS),
    text: REFUSED_TEXT,
  },
  {
    type: 'status',
    network: 'threads',
    storedState: 'scheduled',
    creator: 'owner',
    scheduledAt: hoursFromNow(-3),
    text: 'Guten Morgen! Wer um acht Uhr kommt, bekommt den Kaffee geschenkt.',
  },
];

/** Finds the post that its network rejects. */
export const findRefusedPost = (posts: readonly Post[]): Post =>
  posts.find(({ text }) => text === REFUSED_TEXT)!;
