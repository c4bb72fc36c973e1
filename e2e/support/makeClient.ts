/** The reference client, with a fetch that is restricted to loopback. */
import { OpenRouter } from "@openrouter/sdk"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"

/**
 * `root` is the URL of the host including the mount; `sent` receives the URL of every request, and `received` a copy of
 * every response.
 */
export const makeClient = (
  { root }: { readonly root: string },
  apiKey: string,
  sent: (url: URL) => void = () => {},
  received?: (response: Response) => void
): OpenRouter =>
  new OpenRouter({
    apiKey,
    serverURL: `${root}/api/v1`,
    retryConfig: { strategy: "none" },
    timeoutMs: 20_000,
    httpClient: new HTTPClient({
      fetcher: async (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input)
        if (url.hostname !== "127.0.0.1") throw new Error(`the client turns to ${url.hostname}`)
        sent(url)
        const response = await fetch(input, init)
        received?.(response.clone())
        return response
      }
    })
  })
