/**
 * Thrown where compiled execution cannot write a value; graphql-js then executes the operation.
 * Never reaches a client.
 */
export class NotCompilableError extends Error {}
