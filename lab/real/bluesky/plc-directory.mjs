// A directory of accounts (did:plc), which keeps the operations that Bluesky's server posts.
import { createServer } from 'node:http';

const toDocument = (did, { alsoKnownAs, verificationMethods, services }) => ({
  id: did,
  alsoKnownAs,
  verificationMethod: Object.entries(verificationMethods).map(([name, key]) => ({
    id: `${did}#${name}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase: key.replace('did:key:', ''),
  })),
  service: Object.entries(services).map(([name, { type, endpoint }]) => ({
    id: `#${name}`,
    type,
    serviceEndpoint: endpoint,
  })),
});

/** Starts the directory on a free port. */
export async function startPlcDirectory() {
  const operations = new Map();
  const answer = async (request, response) => {
    const [, did, view] = decodeURIComponent(request.url).split('/');
    if (request.method === 'POST') {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      operations.set(did, JSON.parse(Buffer.concat(chunks).toString()));
      response.end();
      return;
    }
    const operation = operations.get(did);
    const body = view === 'data' ? { did, ...operation } : operation;
    response
      .writeHead(operation ? 200 : 404, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(operation && (view ? body : toDocument(did, operation))));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `http://localhost:${server.address().port}` };
}
