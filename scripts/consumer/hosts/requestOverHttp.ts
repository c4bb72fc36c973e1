/** Requests a Decision below the mount, and a route of the host. */
import assert from "node:assert/strict"
import { key, model } from "./makeInstance.ts"

/** `origin` is a host that mounts the instance at `/ai` and answers `GET /mine` itself. */
export const requestOverHttp = async (origin: string): Promise<void> => {
  const response = await fetch(`${origin}/ai/api/alpha/decisions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model,
      state: { message: "I was charged twice!" },
      questions: {
        team: { type: "choice", instructions: "Whose?", criteria: { billing: null, other: null } }
      }
    })
  })
  assert.equal(response.status, 200)
  const decision: { answers?: { team?: { choice?: string } } } = JSON.parse(await response.text())
  assert.equal(decision.answers?.team?.choice, "billing")

  const mine = await fetch(`${origin}/mine`)
  assert.equal(await mine.text(), "mine")
}
