/**
 * What is selected, merged by response name, with fragments, @include and @skip applied: by the functions that graphql-js
 * itself executes with, so that looking ahead never differs from it. They are not among its public names: they are asked
 * for here alone, and its version is pinned.
 */
export { collectFields, collectSubfields } from 'graphql/execution/collectFields.js';
