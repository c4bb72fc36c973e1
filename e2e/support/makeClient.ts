/** The reference client as its users have it, but for a fetch that goes nowhere but loopback. */
import { OpenRouter } from "@openrouter/sdk"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"

/** `root` is the host with the mount; `sent` is told the address of every request. */
export const makeClient = (
  { root }: { readonly root: string },
  apiKey: string,
  sent: (url: URL) => void = () => {}
): OpenRouter =>
  new OpenRouter({
    apiKey,
    serverURL: `${root}/api/v1`,
    retryConfig: { strategy: "none" },
    timeoutMs: 20_000,
    httpClient: new HTTPClient({
      fetcher: (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input)
        if (url.hostname !== "127.0.0.1") throw new Error(`the client turns to ${url.hostname}`)
        sent(url)
        return fetch(input, init)
      }
    })
  })
