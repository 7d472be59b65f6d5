/**
 * Major version of the public API: the first segment of REST paths, and the `X-API-Version` header
 * of every response (D45).
 */
export const API_VERSION = 'v1';
