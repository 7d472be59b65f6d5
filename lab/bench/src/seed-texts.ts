const twoDigits = (n: number): string => String(n).padStart(2, '0');

/** Number of different texts, shared by the posts of all workspaces. */
export const TEXTS = 20_000;
/**
 * Number of topic words. Each is in one of 40 texts: a search for one finds 200 of the 8,000 posts
 * of a workspace. No word is the beginning of another.
 */
export const TOPICS = 40;
export const topic = (n: number): string => `topic${twoDigits(n % TOPICS)}`;
/** A word in one of 100 texts: a search finds 10,000 posts in a workspace of a million. */
export const hundredth = (n: number): string => `subject${twoDigits(n % 100)}`;

const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ra',
  'ten',
  'vor',
  'sel',
  'dun',
  'pa',
  'ri',
  'mon',
  'ge',
  'ha',
  'bri',
  'no',
  'stu',
  'fe',
  'al',
  'qui',
  'zo',
];
const WORDS = 2_000;

/** A reproducible sequence of random numbers. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const syllable = (n: number): string => SYLLABLES[n % SYLLABLES.length]!;
const word = (n: number): string =>
  syllable(n) +
  syllable(Math.floor(n / 20)) +
  (n % 3 === 0 ? syllable(Math.floor(n / 400) + 7) : '');

/**
 * A text of 15 to 60 words with a realistic distribution of frequent and rare words, and its topic
 * and subject in the middle.
 */
export function textOf(n: number): string {
  const random = createRandom(n + 1);
  const length = 15 + Math.floor(random() * 45);
  const words = Array.from({ length }, () => word(Math.floor(random() ** 3 * WORDS)));
  words.splice(Math.floor(length / 2), 0, topic(n), hundredth(Math.floor(n / TOPICS)));
  const text = words.join(' ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
