/** An upstream that gives every request the same answer at once. */
import { startListener } from "./startListener.ts"

export const startUpstream = (answer: string) =>
  startListener((request, response) => {
    request.resume()
    request.on("end", () => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(answer)
      })
      response.end(answer)
    })
  })
