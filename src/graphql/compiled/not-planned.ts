/** What a plan does not answer: graphql-js does then. No caller ever sees it. */
export class NotPlanned extends Error {}
