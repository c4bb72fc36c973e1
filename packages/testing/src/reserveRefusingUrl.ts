/** An address that refuses connections until the process ends. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"

/**
 * The address of a port without a listener. It is the local end of a connection, so the system
 * assigns it to no other server. The connection does not keep the process alive.
 */
export const reserveRefusingUrl = async (): Promise<string> => {
  const listener = createServer((socket) => socket.unref()).listen(0, "127.0.0.1")
  await once(listener, "listening")
  const { port } = listener.address() as AddressInfo
  // An explicit local address reserves the port, so that no other outgoing connection gets it. Such
  // a connection could be connected to itself.
  const holder = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" })
  await once(holder, "connect")
  holder.unref()
  listener.close()
  return `http://127.0.0.1:${holder.localPort}`
}
