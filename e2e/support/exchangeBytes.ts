/** Writes bytes to a server by hand and reads what comes back until the server is done. */
import { once } from "node:events"
import { connect } from "node:net"

/** Ends our side after `bytes` if `ends`; the server has to end its own, soon. */
export const exchangeBytes = async (
  origin: string,
  bytes: string,
  { ends }: { readonly ends: boolean }
): Promise<string> => {
  const socket = connect({
    port: Number(new URL(origin).port),
    host: "127.0.0.1",
    allowHalfOpen: true
  })
  let text = ""
  socket.setEncoding("utf8")
  socket.on("data", (chunk: string) => (text += chunk))
  socket.setTimeout(120_000, () => socket.destroy(new Error(`nothing came after: ${text}`)))
  socket.write(bytes)
  if (ends) socket.end()
  await once(socket, "end")
  socket.destroy()
  return text
}
