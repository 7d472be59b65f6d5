import type { AppClient } from '../../domain/connections/oauth-rules.js';
import type { Network } from '../../domain/networks/networks.js';
import type { Database } from '../database.js';
import { seal, unseal, type CredentialKeys } from './credential-keys.js';

/** A server at which the gateway registers itself, and where the server sends people back to. */
export interface ClientOfServer {
  readonly network: Network;
  readonly server: string;
  readonly redirectUri: string;
}

/** The gateway as a client of servers. Their secrets are stored sealed. */
export function createServerClients(database: Database, keys: CredentialKeys) {
  const { prisma, changeRecords } = database;
  const find = async (of: ClientOfServer): Promise<AppClient | null> => {
    const row = await prisma.serverClient.findUnique({
      where: { network_server_redirectUri: of },
      select: { id: true, sealed: true },
    });
    return row && (unseal(await keys.unsealingKeys(), row.id, row.sealed) as never as AppClient);
  };
  return {
    /** The client of a server; null if the gateway has not registered itself there. */
    find,
    /** Stores a client, unless another process has registered one meanwhile. Returns the stored one. */
    async keep(id: string, of: ClientOfServer, client: AppClient): Promise<AppClient> {
      const { clientId, clientSecret } = client;
      const sealed = seal(await keys.sealingKey(), id, { clientId, clientSecret });
      await changeRecords(({ serverClient }) =>
        serverClient.createMany({
          data: [{ id, ...of, sealed: new Uint8Array(sealed) }],
          skipDuplicates: true,
        }),
      );
      return (await find(of)) ?? client;
    },
    /** Forgets the client of a server, which does not accept it any more. */
    async forget(of: ClientOfServer): Promise<void> {
      await changeRecords(({ serverClient }) => serverClient.deleteMany({ where: of }));
    },
  };
}
export type ServerClients = ReturnType<typeof createServerClients>;
