/** PostGraphile is made for Node.js 22 and newer; this is all it lacks on 20. */
const { constructor: promise } = Promise.prototype as unknown as {
  constructor: { withResolvers?: () => object };
};
promise.withResolvers ??= () => {
  const parts: Record<string, unknown> = {};
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }));
  return parts;
};
