/** Handlers of a test that a built application finds by name, because it runs in the same process. */
type Handler = (request: Request) => Promise<Response>

const handlers = new Map<string, Handler>()
Object.assign(globalThis, { signalboxHandlers: handlers })

/** Returns the name. */
export const registerHandler = (handler: Handler): string => {
  const name = `harness-${handlers.size}`
  handlers.set(name, handler)
  return name
}
