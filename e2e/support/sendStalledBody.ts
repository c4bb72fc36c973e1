/** Sends a request whose body stalls after its beginning. */
import { request } from "node:http"

/** Returns the status of the response. */
export const sendStalledBody = (
  url: string,
  { key, method }: { readonly key: string; readonly method: string }
): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": 100
    }
    const sent = request(url, { method, headers }, (response) => {
      resolve(response.statusCode)
      sent.destroy()
    })
    sent.on("error", reject)
    sent.write("{")
  })
