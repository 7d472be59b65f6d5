import { JOB_KINDS } from '../../src/domain/jobs/job-kinds.js';
import { ACCOUNT_TYPES } from '../../src/domain/networks/network-definition.js';
import { SCOPES } from '../../src/domain/access/viewer.js';
import {
  APPLIES_TO,
  DELETE_POLICIES,
  JOB_STATUSES,
  PLANS,
  POST_TYPES,
  ROLES,
  SYNC_STATUSES,
  type VocabularyEntry,
} from '../../src/domain/enums.js';
import { code, page, table } from './markdown.js';

const SECTIONS: readonly {
  readonly title: string;
  readonly intro?: string;
  readonly values: Readonly<Record<string, VocabularyEntry>>;
}[] = [
  { title: 'Scopes of an API key', values: SCOPES },
  { title: 'Roles in a workspace', values: ROLES },
  { title: 'Plans', intro: 'A workspace has the plan of its owner.', values: PLANS },
  { title: 'Post types', values: POST_TYPES },
  { title: 'Account types', values: ACCOUNT_TYPES },
  { title: 'Job kinds', values: JOB_KINDS },
  { title: 'Job statuses', values: JOB_STATUSES },
  {
    title: 'Network sync statuses',
    intro: 'These are the values of the field `networkSync { status }`.',
    values: SYNC_STATUSES,
  },
  {
    title: 'Targets of an edit',
    intro: 'These are the values of the field `appliesTo`.',
    values: APPLIES_TO,
  },
  { title: 'Delete policies', values: DELETE_POLICIES },
];

/** docs/reference/enums.md: the enum values that have no page of their own. */
export const enumsPage = (): string =>
  page(
    'Enum values',
    'This page lists the values as REST v1 spells them. GraphQL spells them with uppercase letters and underscores. For example, `posts:read` is `POSTS_READ`. For the other enums, see [States](states.md) and [Networks](networks.md).',
    ...SECTIONS.flatMap(({ title, intro, values }) => [
      `## ${title}`,
      ...(intro ? [intro] : []),
      table(
        ['value', 'description'],
        Object.entries(values).map(([value, { description }]) => [code(value), description]),
      ),
    ]),
  );
