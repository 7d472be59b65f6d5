/**
 * Selected fields, merged by response name, with fragments, @include and @skip applied. These are
 * the functions that graphql-js executes with, so that look-ahead never differs from execution.
 * They are not part of its public API: imported only here, with the version of graphql-js pinned.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
