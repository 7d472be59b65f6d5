import { ACCOUNT_TYPES } from '../../src/domain/networks/networks.js';
import { SCOPES } from '../../src/domain/access/scopes.js';
import {
  APPLIES_TO,
  DELETE_POLICIES,
  JOB_KINDS,
  JOB_STATUSES,
  PLANS,
  POST_TYPES,
  ROLES,
  SYNC_STATUSES,
  type Word,
} from '../../src/domain/vocabulary.js';
import { code, page, table } from './markdown.js';

const WORDS: readonly {
  readonly title: string;
  readonly about?: string;
  readonly words: Readonly<Record<string, Word>>;
}[] = [
  {
    title: 'Scopes of a key',
    about: '`posts` grants `posts:read` and `posts:write`.',
    words: SCOPES,
  },
  { title: 'Roles in a workspace', words: ROLES },
  { title: 'Plans', about: 'A workspace has the plan of its owner.', words: PLANS },
  { title: 'Post types', words: POST_TYPES },
  { title: 'Account types', words: ACCOUNT_TYPES },
  { title: 'Kinds of jobs', words: JOB_KINDS },
  { title: 'States of a job', words: JOB_STATUSES },
  {
    title: 'How far a change has come on its network',
    about: '`networkSync { status }`.',
    words: SYNC_STATUSES,
  },
  { title: 'Where a change goes', about: '`appliesTo`.', words: APPLIES_TO },
  { title: 'Policies of a delete', words: DELETE_POLICIES },
];

/** docs/reference/words.md: the words of the interface that have no page of their own. */
export const wordsPage = (): string =>
  page(
    'Words',
    'As v1 writes them; GraphQL writes them in upper case, and `posts:read` as `POSTS_READ`. [States](states.md) and [networks](networks.md) have pages of their own.',
    ...WORDS.flatMap(({ title, about, words }) => [
      `## ${title}`,
      ...(about ? [about] : []),
      table(
        ['word', 'meaning'],
        Object.entries(words).map(([word, { meaning }]) => [code(word), meaning]),
      ),
    ]),
  );
