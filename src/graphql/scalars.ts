import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars';

/** RFC 3339 date and time with an offset. The offset is required in inputs (D8). */
export const DateTime = GraphQLDateTime;
/** Any JSON value. */
export const Json = GraphQLJSON;
