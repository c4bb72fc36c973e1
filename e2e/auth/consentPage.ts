/** The page of docs/guides/sign-in-applications.md, on which a user who is logged in lets an application get a key. */
import type { Signalbox } from "@signalbox/node"
import express, { type Request, type RequestHandler } from "express"

interface ConsentPageOptions {
  readonly signalbox: Pick<Signalbox, "oAuth">
  /** The id of the user whose session the request has. */
  readonly findUser: (request: Request) => string | undefined
  /** Makes and checks the token that shows that the form is the page's own, against requests of other sites. */
  readonly csrf: {
    readonly make: (user: string) => string
    readonly check: (user: string, token: string) => boolean
  }
}

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

const fields = [
  "callback_url",
  "code_challenge",
  "code_challenge_method",
  "key_label",
  "limit"
] as const

export const makeConsentPage = ({
  csrf,
  findUser,
  signalbox
}: ConsentPageOptions): RequestHandler => {
  const router = express.Router()
  // Another site must not show the page in a frame and have it clicked.
  router.use((_, response, next) => {
    response.setHeader("content-security-policy", "frame-ancestors 'none'; form-action *")
    response.setHeader("referrer-policy", "no-referrer")
    next()
  })
  router.get("/auth", (request, response) => {
    const user = findUser(request)
    if (user === undefined) {
      response.redirect(`/login?next=${encodeURIComponent(request.originalUrl)}`)
      return
    }
    const asked = fields.flatMap((name) => {
      const value = request.query[name]
      return typeof value === "string" ? [[name, value] as const] : []
    })
    const inputs = [...asked, ["csrf", csrf.make(user)] as const].map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escape(value)}">`
    )
    const { callback_url: target = "this page, where the code is shown" } =
      Object.fromEntries(asked)
    response.send(
      `<!doctype html><title>Sign in</title>
      <p>Let the application at ${escape(target)} use models in your name?</p>
      <form method="post" action="/auth">${inputs.join("")}<button>Allow</button></form>`
    )
  })
  const allow = async (request: express.Request, response: express.Response): Promise<void> => {
    const user = findUser(request)
    const form: Readonly<Record<string, string>> = request.body
    if (user === undefined || !csrf.check(user, form["csrf"] ?? "")) {
      response.status(403).send("Please log in again.")
      return
    }
    const { callback_url, code_challenge = "", code_challenge_method, key_label, limit } = form
    try {
      // Refuses addresses that the host has not listed, so the redirect below leads nowhere else.
      const { data } = await signalbox.oAuth.createCode(
        {
          code_challenge,
          ...(callback_url === undefined ? {} : { callback_url }),
          ...(code_challenge_method === undefined ? {} : { code_challenge_method }),
          ...(key_label === undefined ? {} : { key_label }),
          ...(limit === undefined ? {} : { limit: Number(limit) })
        },
        { caller: { kind: "member", user } }
      )
      if (callback_url === undefined) {
        response.send(`<p>Enter this code: <code>${data.id}</code></p>`)
        return
      }
      const target = new URL(callback_url)
      target.searchParams.set("code", data.id)
      response.redirect(303, target.href)
    } catch (error) {
      response.status(400).send(escape(error instanceof Error ? error.message : String(error)))
    }
  }
  router.post("/auth", express.urlencoded({ extended: false }), (request, response, next) => {
    allow(request, response).catch(next)
  })
  return router
}
