/** The options of a field that may be null. */
export const optional = (description: string) => ({ nullable: true, description });
