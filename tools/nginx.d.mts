export function createCertificate(
  folder: string,
): Record<'CERTIFICATE' | 'CERTIFICATE_KEY', string>;
export function configureNginx(
  folder: string,
  values: Readonly<Record<string, string>>,
  program?: string,
): void;
export function nginxArguments(folder: string, ...options: readonly string[]): string[];
