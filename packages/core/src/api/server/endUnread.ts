/** Ends the body of a web-standard response that its host does not read, or stops reading. */

/**
 * A response with the same body. When nothing is read from it for `timeoutMillis`, from the start or although there is more,
 * the source is cancelled, as by a client that disconnects, and the next read fails.
 */
export const endUnread = (response: Response, timeoutMillis: number): Response => {
  const { body } = response
  if (body === null) return response
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  const awaitRead = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    timer = setTimeout(() => {
      const reason = new Error(`the response was not read for ${timeoutMillis} ms`)
      controller.error(reason)
      reader.cancel(reason).catch(() => {})
    }, timeoutMillis)
    // Timers of Node would keep a process alive that has nothing else to do.
    Object(timer).unref?.()
  }
  const guarded = new ReadableStream<Uint8Array>(
    {
      start: awaitRead,
      pull: async (controller) => {
        clearTimeout(timer)
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        awaitRead(controller)
      },
      cancel: (reason) => {
        clearTimeout(timer)
        return reader.cancel(reason)
      }
    },
    { highWaterMark: 0 }
  )
  return new Response(guarded, response)
}
