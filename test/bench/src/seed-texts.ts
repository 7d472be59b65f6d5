/** How many different texts there are; posts of every workspace share them. */
export const TEXTS = 20_000;
/** Each of so many words is in one text of TOPICS: in a workspace of 8,000 posts a search for one finds 200. */
export const TOPICS = 40;
export const topic = (n: number): string => `topic${n % TOPICS}`;
/** Each of these in one text of a hundred: 10,000 in a workspace of a million. */
export const hundredth = (n: number): string => `subject${n % 100}`;

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

/** The same sequence of numbers at every run. */
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

/** A text as posts have them, 15 to 60 words, frequent ones often and rare ones seldom, with its topic and subject in the middle. */
export function textOf(n: number): string {
  const random = createRandom(n + 1);
  const length = 15 + Math.floor(random() * 45);
  const words = Array.from({ length }, () => word(Math.floor(random() ** 3 * WORDS)));
  words.splice(Math.floor(length / 2), 0, topic(n), hundredth(Math.floor(n / TOPICS)));
  const text = words.join(' ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
