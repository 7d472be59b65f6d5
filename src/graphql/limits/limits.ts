/** Maximum size of a GraphQL operation (D40). */
export const LIMITS = {
  depth: 12,
  fields: 300,
  aliases: 30,
  rootFields: 30,
  mutations: 10,
  directives: 20,
  tokens: 2_000,
  complexity: 5_000,
  /**
   * For `__schema` and `__type`, which are measured separately so that the introspection query of
   * graphql-js passes.
   */
  introspectionDepth: 16,
  introspections: 1,
  /**
   * Errors in variables that are reported. Each message contains the whole value, which can be 1
   * MB.
   */
  variableErrors: 10,
} as const;
