export const GROUPS: Readonly<Record<string, readonly string[]>>;
export const ALONE: readonly string[];
export const SYSTEM: readonly string[];
export const LAB: readonly string[];
export function listTestFiles(folders: readonly string[]): string[];
export function listGroup(name: string): string[];
