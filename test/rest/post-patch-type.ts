import { buildGatewaySchema, postPatchType } from '../../src/graphql/schema/schema.js';

/** GraphQL input type of a post's changes, from which the v1 body is derived. */
export const postPatch = postPatchType(buildGatewaySchema());
