/** PostGraphile requires Node.js 22; on 20 only this function is missing. */
const { constructor: promise } = Promise.prototype as unknown as {
  constructor: { withResolvers?: () => object };
};
promise.withResolvers ??= () => {
  const parts: Record<string, unknown> = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
