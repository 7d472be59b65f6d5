import { setFlagsFromString } from 'node:v8';

/**
 * The option of V8, by its major version, for the bytes of bytecode after which it considers a
 * function for compilation to fast code: a seventh of the default. A function needs this several
 * times, so a gateway with few requests would otherwise take a minute or more to become fast. Later
 * versions, from Node.js 22, count calls instead, and reject the option.
 */
export const COMPILE_SOON_OPTIONS: Readonly<Record<string, string>> = {
  '11': '--interrupt-budget=10000',
};

/**
 * Lets V8 compile functions sooner. To be called after the start: it runs most functions only a few
 * times, so that compiling them costs more than it saves.
 */
export function compileSoon(v8Version = process.versions.v8): void {
  const option = COMPILE_SOON_OPTIONS[v8Version.split('.', 1)[0]!];
  if (option) setFlagsFromString(option);
}
