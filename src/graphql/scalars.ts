import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';

/** RFC 3339 with an offset, in and out; the offset of an input is required (D8). */
export const DateTime = GraphQLDateTime;
/** Any JSON value. */
export const Json = GraphQLJSON;
