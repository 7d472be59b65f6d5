/** Options of a nullable field. */
export const optional = (description: string) => ({ nullable: true, description });
