/** A login for the console: one public password, and sessions in memory. Replace it with the login of your application. */
import { randomUUID } from "node:crypto"
import type { Authorize } from "@signalbox/console"
import express, { type Router } from "express"

/** Public, like the keys of the example. */
export const password = "demo"

const sessions = new Set<string>()

/** The page with the form, and where the form goes. */
export const login: Router = express.Router()

login.get("/", (_request, response) => {
  response.send(toPage(""))
})

login.post("/", express.urlencoded({ extended: false }), (request, response) => {
  if (request.body?.password !== password) {
    response.status(401).send(toPage("That is not the password."))
    return
  }
  const session = randomUUID()
  sessions.add(session)
  // Behind HTTPS, add `secure: true`.
  response
    .cookie("session", session, { httpOnly: true, sameSite: "strict" })
    .redirect(303, "/console/")
})

/** Who may open the console: your own check of a session goes here. */
export const authorize: Authorize = ({ headers, path }) => {
  const [, session = ""] = /(?:^|; *)session=([^;]+)/.exec(headers["cookie"] ?? "") ?? []
  if (sessions.has(session)) return { user: "demo-user" }
  // Data is refused; a page leads to the form.
  return path === "/" || path === ""
    ? new Response(null, { status: 303, headers: { location: "/login" } })
    : null
}

const toPage = (problem: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Log in</title>
<style>body { font: 1rem system-ui; max-width: 20rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>Log in</h1>
<form method="post">
  <label>Password (it is <code>${password}</code>)
    <input name="password" type="password" autocomplete="current-password" autofocus required>
  </label>
  <button>Log in</button>
  <p role="alert">${problem}</p>
</form>
</html>
`
