/** A response that does not end. */
import type { PlantedFault } from "./PlantedFault.ts"

export const endlessStream: PlantedFault = {
  name: "a stream that breaks off at the provider stays open for its caller",
  breaks: "everyRequestEnds",
  fetch: (fetch) => async (request, host) => {
    const response = await fetch(request, host)
    const { body } = response
    if (body === null || response.headers.get("content-type") === "application/json") {
      return response
    }
    const decoder = new TextDecoder()
    const stalling = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        if (!decoder.decode(chunk).includes('"error":')) return controller.enqueue(chunk)
        return new Promise(() => {})
      }
    })
    return new Response(body.pipeThrough(stalling), response)
  }
}
