/** Reads the data of server-sent events, whose text arrives in pieces of any size. */

/** Calls `onData` with the data of each event; what ends it, `[DONE]`, is none. */
export const makeEventReader = (onData: (data: string) => void): ((piece: string) => void) => {
  let rest = ""
  return (piece) => {
    const lines = (rest + piece).split(/\r?\n/)
    rest = lines.pop() ?? ""
    for (const line of lines) {
      if (!line.startsWith("data:")) continue
      const data = line.slice("data:".length).trim()
      if (data !== "[DONE]") onData(data)
    }
  }
}

export const readEvents = async (
  body: ReadableStream<Uint8Array>,
  onData: (data: string) => void
): Promise<void> => {
  const read = makeEventReader(onData)
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    read(decoder.decode(step.value, { stream: true }))
  }
  read("\n")
}
