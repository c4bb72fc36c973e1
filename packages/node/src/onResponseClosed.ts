/** Tells when nobody can read a response any more. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * Calls `listener` once, when the response is closed. Node tells a pipelined response nothing before its
 * turn, so until then its connection is listened to.
 */
export const onResponseClosed = (
  request: IncomingMessage,
  response: ServerResponse,
  listener: () => void
): void => {
  response.once("close", listener)
  if (response.socket !== null || request.socket.destroyed) return
  const waiting = getSocketListeners(request.socket)
  const leave = () => {
    response.off("close", listener)
    listener()
  }
  const stopWaiting = () => void waiting.delete(leave)
  waiting.add(leave)
  response.once("socket", stopWaiting)
  response.once("close", stopWaiting)
}

/** One listener a connection: a client may pipeline any number of requests. */
const getSocketListeners = (socket: Socket): Set<() => void> => {
  const known = listeners.get(socket)
  if (known !== undefined) return known
  const waiting = new Set<() => void>()
  listeners.set(socket, waiting)
  socket.once("close", () => {
    for (const leave of waiting) leave()
  })
  return waiting
}

const listeners = new WeakMap<Socket, Set<() => void>>()
