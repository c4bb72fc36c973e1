/** Two receivers of webhooks: one works, the other fails twice for each event. See `receiver.ts` for a real one. */
import express, { type Router } from "express"

export const receivers: Router = express.Router()

receivers.post("/ledger", (_request, response) => {
  response.status(204).end()
})

/** Failed attempts by event. */
const failures = new Map<string, number>()

receivers.post("/archive", (request, response) => {
  const event = request.get("webhook-id") ?? ""
  const known = failures.get(event) ?? 0
  if (known >= 2) {
    failures.delete(event)
    return response.status(204).end()
  }
  failures.set(event, known + 1)
  return response.status(500).end("the disk is full")
})
