import { buildGatewaySchema, postPatchType } from '../../src/graphql/schema.js';

/** The input type that v1 is the snake_case view of. */
export const postPatch = postPatchType(buildGatewaySchema());
