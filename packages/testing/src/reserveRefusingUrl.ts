/** An address that refuses connections for as long as the process lives. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"

/**
 * The address of a port that nobody listens on. It is held as the local end of a connection, so that
 * the system gives it to no server that asks for a free port; the process may end all the same.
 */
export const reserveRefusingUrl = async (): Promise<string> => {
  const listener = createServer((socket) => socket.unref()).listen(0, "127.0.0.1")
  await once(listener, "listening")
  const { port } = listener.address() as AddressInfo
  // Naming the local address binds the port, so that it is not used for other outgoing connections
  // either: such a one could be connected to itself.
  const holder = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" })
  await once(holder, "connect")
  holder.unref()
  listener.close()
  return `http://127.0.0.1:${holder.localPort}`
}
