import './yoga-queries.js';
import './yoga-mutations.js';
import { builder } from './yoga-builder.js';

/** The schema: the imports above add its queries and mutations to the builder. */
export const schema = builder.toSchema();
