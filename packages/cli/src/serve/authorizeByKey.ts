/** Opens the console to users with a management key, by HTTP Basic authentication. */
import type { IncomingMessage } from "node:http"
import type { Authorize } from "@signalbox/console"
import { Admission, canManageAccount, type Signalbox } from "@signalbox/core/adapter"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** The password is a management key; the user name is not read. Attempts count against the rate limit of their key. */
export const authorizeByKey = (
  instance: Pick<Signalbox, "context">
): Authorize<IncomingMessage> => {
  const { admit } = Context.get(instance.context, Admission)
  return ({ headers, method, source }) => {
    const password = parsePassword(headers["authorization"])
    if (password === undefined) return askForPassword()
    return admit({
      headers: { authorization: `Bearer ${password}` },
      method,
      url: "/",
      hostRequest: source
    }).pipe(
      Effect.map((caller) => {
        if (!canManageAccount(caller)) return askForPassword()
        const { account, keyHash } = caller
        return { account, ...(keyHash === undefined ? undefined : { keyHash }) }
      }),
      Effect.catchTag("RateLimited", ({ retryAfterMillis }) =>
        Effect.succeed(
          new Response("too many requests with this key", {
            status: 429,
            headers: { "retry-after": String(Math.ceil(retryAfterMillis / 1_000)) }
          })
        )
      ),
      Effect.catchTag("Unauthenticated", () => Effect.sync(askForPassword))
    )
  }
}

const askForPassword = (): Response =>
  new Response("the password is a management key", {
    status: 401,
    headers: { "www-authenticate": 'Basic realm="Signalbox console", charset="UTF-8"' }
  })

const parsePassword = (header: string | undefined): string | undefined => {
  const [, encoded] = /^basic +(\S+) *$/i.exec(header ?? "") ?? []
  if (encoded === undefined) return undefined
  const [, password] = /^[^:]*:(\S+)$/.exec(Buffer.from(encoded, "base64").toString()) ?? []
  return password
}
